"""Links between records of one programme: made by the rules, or said by an operator; undone by an operator.

Writing a record does not wait for its links: a pass over what has changed makes them afterwards (`link_pending`). Until
then a record stands alone. A record whose programme changes counts as changed, so that whoever follows the store sees
it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, or_, select, update

from index.linking.version import fingerprint

from .batch import clock, note, remember, stored
from .engine import reading, writing
from .linkage import Linkage, Sketches
from .store import Store
from .tables import LINK_KEYS, LINKED_UP_TO, LINKS, OPPORTUNITIES

BATCH = 500
_RULES = "linking_rules"

Progress = Callable[[str, int, int], None]


class NotLinkable(Exception):  # noqa: N818 - named for what was asked
    """A pair that cannot be linked or kept apart: one record of it is not there, or it is one record."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What a pass did: changes looked at, records compared, links that they have, records of another programme now."""

    looked: int = 0
    compared: int = 0
    links: int = 0
    moved: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How the store is linked: links by the rules and by operators, programmes of several records, their records."""

    links: int
    joined: int
    apart: int
    programmes: int
    records: int


@dataclass(frozen=True, slots=True)
class LinkTo:
    """A link of one record. verdict: linked (by the rules), joined or apart (by an operator)."""

    other: str
    verdict: str
    score: float
    reason: str
    at: datetime


def link_pending(
    store: Store,
    at: datetime,
    *,
    batch: int = BATCH,
    most: int | None = None,
    progress: Progress = lambda step, done, total: None,
) -> Linked:
    """What came of comparing every record that changed since the last pass; cheap when none did.

    Each `batch` is one transaction, so an interrupted pass goes on where it stopped; after `most` batches it pauses.
    When the rules themselves have changed, all records are compared anew. Raises StoreError.
    """
    total = _pending(store)
    if not total:
        return Linked()
    sketches = Sketches()
    done, compared, links, moved = 0, 0, 0, 0
    while most is None or most > 0:
        with writing(store.engine) as connection:
            linkage = Linkage(connection, at, sketches)
            _renew(connection)
            looked, some = _step(linkage, connection, batch)
        if not looked:
            break
        done, compared = done + looked, compared + some.compared
        links, moved = links + some.links, moved + some.moved
        most = None if most is None else most - 1
        progress("links", min(done, total), total)
    progress("links", total, total)
    return Linked(done, compared, links, moved)


def join(store: Store, first: str, second: str, at: datetime) -> Linked:
    """What came of an operator's word that two records are one programme. Raises NotLinkable or StoreError."""
    return _say(store, first, second, "joined", at)


def separate(store: Store, first: str, second: str, at: datetime) -> Linked:
    """What came of an operator's word that two records are not one programme, now and for ever.

    Raises NotLinkable or StoreError.
    """
    return _say(store, first, second, "apart", at)


def links_of(store: Store, doc_id: str) -> list[LinkTo]:
    """The links of a record, the operator's first, then the surest."""
    wanted = select(LINKS).where(or_(LINKS.c.first_id == doc_id, LINKS.c.second_id == doc_id))
    with reading(store.engine) as connection:
        rows = connection.execute(wanted).mappings().all()
    found = [
        LinkTo(
            other=row["second_id"] if row["first_id"] == doc_id else row["first_id"],
            verdict=row["verdict"],
            score=row["score"],
            reason=row["reason"],
            at=row["at"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: (one.verdict == "linked", -one.score, one.other))


def standing(store: Store) -> Standing:
    """How the store is linked now."""
    with reading(store.engine) as connection:
        counted = connection.execute(select(LINKS.c.verdict, func.count()).group_by(LINKS.c.verdict))
        by: dict[str, int] = {str(row[0]): int(row[1]) for row in counted}
        present = (OPPORTUNITIES.c.programme.is_not(None), OPPORTUNITIES.c.deleted_at.is_(None))
        programmes, records = connection.execute(
            select(func.count(OPPORTUNITIES.c.programme.distinct()), func.count()).where(*present)
        ).one()
    return Standing(by.get("linked", 0), by.get("joined", 0), by.get("apart", 0), programmes, records)


def _pending(store: Store) -> int:
    """About how many rows the next pass has to look at."""
    with reading(store.engine) as connection:
        if note(connection, _RULES) != fingerprint():
            return max(1, connection.execute(select(func.count()).select_from(OPPORTUNITIES)).scalar_one())
        since = int(note(connection, LINKED_UP_TO) or 0)
        if clock(connection) <= since:
            return 0
        wanted = select(func.count()).select_from(OPPORTUNITIES).where(OPPORTUNITIES.c.sequence > since)
        return int(connection.execute(wanted).scalar_one())


def _renew(connection: Connection) -> None:
    """Nothing; when other rules made the links, all of theirs are forgotten and every record is to be compared."""
    if note(connection, _RULES) == fingerprint():
        return
    connection.execute(delete(LINK_KEYS))
    connection.execute(delete(LINKS).where(LINKS.c.verdict == "linked"))
    connection.execute(update(OPPORTUNITIES).values(linked_hash=None))
    remember(connection, {_RULES: fingerprint(), LINKED_UP_TO: "0"})


def _step(linkage: Linkage, connection: Connection, batch: int) -> tuple[int, Linked]:
    """How many rows were looked at, and what came of those whose content was not compared yet."""
    since = int(note(connection, LINKED_UP_TO) or 0)
    wanted = select(OPPORTUNITIES).where(OPPORTUNITIES.c.sequence > since)
    found = connection.execute(wanted.order_by(OPPORTUNITIES.c.sequence).limit(batch)).mappings().all()
    if not found:
        return 0, Linked()
    rows = [dict(row) for row in found]
    new = [
        row
        for row in rows
        if row["linked_hash"] != (None if row["deleted_at"] is not None else row["content_hash"])
    ]
    links, moved = linkage.compare(new) if new else (0, 0)
    remember(connection, {LINKED_UP_TO: str(rows[-1]["sequence"])})
    return len(rows), Linked(len(rows), len(new), links, moved)


def _say(store: Store, first: str, second: str, verdict: str, at: datetime) -> Linked:
    if first == second:
        raise NotLinkable(f"{first!r} is one record: a link needs two")
    with writing(store.engine) as connection:
        rows = stored(connection, [first, second])
        for doc_id in (first, second):
            if doc_id not in rows or rows[doc_id]["deleted_at"] is not None:
                raise NotLinkable(f"the store has no record {doc_id!r}")
        return Linked(2, 2, 1, Linkage(connection, at).say(first, second, verdict))
