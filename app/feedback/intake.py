"""From lines to rows: a batch of exposures and events put into the store, once, however often it is offered."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.store import Store
from app.store.batch import IDS_AT_ONCE
from app.store.engine import writing
from app.store.tables import CLOCK, ERASURES, EVENTS, EXPOSURE_ARMS, EXPOSURES

from . import event, exposure
from .suspicion import RATE_S, Page, Sent, flags_of, too_many

EXPOSURE, EVENT = "exposure", "event"
Row = dict[str, Any]


@dataclass(slots=True)
class Lines:
    """Lines read into rows. odd: how many were none of ours."""

    exposures: dict[str, Row]
    arms: list[Row]
    events: list[Row]
    odd: int = 0

    @classmethod
    def read(cls, values: Iterable[Any]) -> Lines:
        """The rows of parsed lines; the first of two exposures of one id counts."""
        found = cls({}, [], [])
        for value in values:
            try:
                found._take(*value)
            except (TypeError, ValueError, KeyError, OverflowError):
                found.odd += 1
        return found

    def _take(self, kind: str, plain: list[Any], received_s: float = 0.0) -> None:
        if kind == EVENT:
            self.events.append(event.row_of(plain, received_s))
            return
        if kind != EXPOSURE:
            raise ValueError("a line of another kind")
        row, arms = exposure.row_of(plain)
        if row["query_id"] not in self.exposures:
            self.exposures[row["query_id"]] = row
            self.arms += arms


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a batch. contradicted: events of an id that was kept before with other content."""

    exposures: int
    events: int
    contradicted: int
    erased: int


def keep(store: Store, lines: Lines) -> Kept:
    """What became of the lines; all are on the disk on return, or on an exception none. Raises StoreError."""
    with writing(store.engine) as connection:
        # The writers' lock: an exposure and its events, coming from two processes, must see one another.
        connection.execute(update(CLOCK).values(sequence=CLOCK.c.sequence))
        erased = _forget(connection, lines)
        _insert(connection, EXPOSURES, list(lines.exposures.values()))
        _insert(connection, EXPOSURE_ARMS, [row for row in lines.arms if row["query_id"] in lines.exposures])
        fresh, contradicted = _fresh(connection, lines.events)
        _insert(connection, EVENTS, [row | _UNJUDGED for row in fresh])
        crowded = _flag_rates(connection, list(lines.exposures.values()))
        _judge(connection, {*lines.exposures, *crowded, *(row["query_id"] for row in fresh)})
    return Kept(len(lines.exposures), len(fresh), contradicted, erased)


_UNJUDGED: Row = {"shown_rank": None, "unit": None, "session": None, "flag": "unknown"}


def _forget(connection: Connection, lines: Lines) -> int:
    """How many exposures were dropped: those of units that were erased after them."""
    units = {row["unit"] for row in lines.exposures.values() if row["unit"]}
    units |= {row["session"] for row in lines.exposures.values() if row["session"]}
    until: dict[str, datetime] = {}
    for some in _some(units):
        found = connection.execute(select(ERASURES.c.unit, ERASURES.c.at).where(ERASURES.c.unit.in_(some)))
        until.update((unit, at) for unit, at in found)
    gone = [
        row["query_id"]
        for row in lines.exposures.values()
        for who in (row["unit"], row["session"])
        if who in until and row["at"] <= until[who]
    ]
    for query_id in gone:
        lines.exposures.pop(query_id, None)
    return len(set(gone))


def _fresh(connection: Connection, rows: Sequence[Row]) -> tuple[list[Row], int]:
    """The events that are new, and how many contradict one that is not."""
    known: dict[str, str] = {}
    for some in _some({row["event_id"] for row in rows}):
        wanted = select(EVENTS.c.event_id, EVENTS.c.digest).where(EVENTS.c.event_id.in_(some))
        known.update((key, digest) for key, digest in connection.execute(wanted))
    fresh, contradicted = [], 0
    for row in rows:
        before = known.get(row["event_id"])
        if before is None:
            known[row["event_id"]] = row["digest"]
            fresh.append(row)
        elif before != row["digest"]:
            contradicted += 1
    return fresh, contradicted


def _flag_rates(connection: Connection, rows: Sequence[Row]) -> set[str]:
    """The exposures that are flagged now, since their unit searches faster than people do."""
    units = {row["unit"] for row in rows if row["unit"]}
    if not units:
        return set()
    since = min(row["at"] for row in rows) - timedelta(seconds=RATE_S)
    moments: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for some in _some(units):
        wanted = select(EXPOSURES.c.unit, EXPOSURES.c.at, EXPOSURES.c.query_id)
        wanted = wanted.where(EXPOSURES.c.unit.in_(some), EXPOSURES.c.at >= since)
        for unit, at, query_id in connection.execute(wanted):
            moments[unit].append((at.timestamp(), query_id))
    crowded = {query_id for own in moments.values() for query_id in too_many(own)}
    for some in _some(crowded):
        where = EXPOSURES.c.query_id.in_(some) & EXPOSURES.c.flag.is_(None)
        connection.execute(update(EXPOSURES).where(where).values(flag="bot"))
    return crowded


def _judge(connection: Connection, query_ids: set[str]) -> None:
    """Nothing; the events of those searches say where their hits stood, whose they are, and whether they count."""
    for some in _some(query_ids):
        events = connection.execute(select(EVENTS).where(EVENTS.c.query_id.in_(some))).mappings().all()
        if not events:
            continue
        asked = sorted({row["query_id"] for row in events})
        pages = connection.execute(select(EXPOSURES).where(EXPOSURES.c.query_id.in_(asked))).mappings()
        of = {page["query_id"]: dict(page) for page in pages}
        changed = [row for query_id in asked for row in _judged(of.get(query_id), events, query_id)]
        if changed:
            connection.execute(_VERDICT, changed)


_VERDICT = (
    update(EVENTS)
    .where(EVENTS.c.event_id == bindparam("key"))
    .values({name: bindparam(f"new_{name}") for name in _UNJUDGED})
)


def _judged(row: Row | None, events: Sequence[Any], query_id: str) -> Iterator[Row]:
    """What has to be written of the events of one page."""
    own = [one for one in events if one["query_id"] == query_id]
    page = None
    ranks: dict[str, int] = {}
    if row is not None:
        ranks = {hit[0]: hit[1] for hit in json.loads(row["hits"])}
        page = Page(row["at"].timestamp(), ranks, row["flag"])
    flags = flags_of(page, [_sent(one) for one in own])
    for one in own:
        verdict = {
            "shown_rank": ranks.get(one["doc_id"]),
            "unit": None if row is None else row["unit"],
            "session": None if row is None else row["session"],
            "flag": flags[one["event_id"]],
        }
        if any(one[name] != value for name, value in verdict.items()):
            yield {"key": one["event_id"], **{f"new_{name}": value for name, value in verdict.items()}}


def _sent(row: Any) -> Sent:  # noqa: ANN401 - a row of any result
    at: datetime | None = row["at"]
    at_s = None if at is None else at.astimezone(UTC).timestamp()
    return Sent(row["event_id"], row["type"], row["doc_id"], at_s, row["received_at"].timestamp())


def _insert(connection: Connection, table: Table, rows: list[Row]) -> None:
    if rows:
        make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        connection.execute(make(table).on_conflict_do_nothing(), rows)


def _some(ids: Iterable[str]) -> Iterator[list[str]]:
    ordered = sorted(ids)
    return (ordered[start : start + IDS_AT_ONCE] for start in range(0, len(ordered), IDS_AT_ONCE))
