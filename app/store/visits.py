"""What was last seen of each link of the records. Looking at links changes no record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from .batch import IDS_AT_ONCE
from .engine import reading, writing
from .sighting import Sighting
from .store import Store
from .tables import CLOCK, VISITS

_SEEN = ("state", "status", "final_url", "detail", "etag", "last_modified", "content_hash")


@dataclass(frozen=True, slots=True)
class Visit:
    """The last look at a link and what became of it over time.

    changed_at: when the page was last seen to say something else than before; None while it never did.
    gone_since, gone_at: the first and last look that found it gone since it was last there; None when it is there.
    """

    url: str
    sighting: Sighting
    checked_at: datetime
    changed_at: datetime | None = None
    gone_since: datetime | None = None
    gone_at: datetime | None = None

    @property
    def broken_since(self) -> datetime | None:
        """Since when the link is broken: it was gone on two different days (UTC); None when it is not."""
        if self.gone_since is None or self.gone_at is None or self.gone_since.date() == self.gone_at.date():
            return None
        return self.gone_since

    def followed(self, sighting: Sighting, at: datetime) -> Visit:
        """This visit, followed by another look."""
        before, changed_at = self.sighting, self.changed_at
        hashes = {before.content_hash, sighting.content_hash} - {None}
        if len(hashes) == 2:
            changed_at = at
        since, last = self.gone_since, self.gone_at
        if sighting.state == "gone":
            since, last = since or at, at
        elif sighting.state == "ok":
            since = last = None
        return Visit(self.url, _kept(before, sighting), at, changed_at, since, last)


def first_visit(url: str, sighting: Sighting, at: datetime) -> Visit:
    """The visit of a link that was never looked at before."""
    gone = at if sighting.state == "gone" else None
    return Visit(url, sighting, at, None, gone, gone)


def keep_visits(store: Store, seen: Iterable[tuple[str, Sighting]], at: datetime) -> None:
    """Nothing; what was seen of links has reached the disk on return. Raises StoreError."""
    looks = list(seen)
    with writing(store.engine) as connection:
        connection.execute(update(CLOCK).values(sequence=CLOCK.c.sequence))  # the writers' lock
        known = _visits(connection, [url for url, _ in looks])
        for url, sighting in looks:
            before = known.get(url)
            known[url] = before.followed(sighting, at) if before else first_visit(url, sighting, at)
        rows = [_row(visit) for visit in known.values()]
        for start in range(0, len(rows), IDS_AT_ONCE):
            some = rows[start : start + IDS_AT_ONCE]
            connection.execute(delete(VISITS).where(VISITS.c.key.in_([row["key"] for row in some])))
            connection.execute(insert(VISITS), some)


def visits_of(store: Store, urls: Iterable[str]) -> dict[str, Visit]:
    """The visits of those links that were ever looked at."""
    with reading(store.engine) as connection:
        return _visits(connection, list(urls))


def all_visits(store: Store) -> Iterator[Visit]:
    """The visits of all links ever looked at, also of links that no record has any more; in constant memory."""
    with reading(store.engine) as connection:
        rows = connection.execution_options(yield_per=IDS_AT_ONCE).execute(select(VISITS))
        for row in rows.mappings():
            yield _visit(row)


def _visits(connection: Connection, urls: Sequence[str]) -> dict[str, Visit]:
    keys = [_key(url) for url in urls]
    found = {}
    for start in range(0, len(keys), IDS_AT_ONCE):
        wanted = select(VISITS).where(VISITS.c.key.in_(keys[start : start + IDS_AT_ONCE]))
        for row in connection.execute(wanted).mappings():
            found[row["url"]] = _visit(row)
    return found


def _kept(before: Sighting, now: Sighting) -> Sighting:
    """The newer look; what it could not see of the page is kept, so that the next one can compare."""
    if now.state == "ok":
        return now
    return replace(
        now, etag=before.etag, last_modified=before.last_modified, content_hash=before.content_hash
    )


def _key(url: str) -> str:
    return sha256(url.encode("utf-8", "surrogatepass")).hexdigest()


def _row(visit: Visit) -> dict[str, object]:
    return {
        "key": _key(visit.url),
        "url": visit.url,
        **{name: getattr(visit.sighting, name) for name in _SEEN},
        "checked_at": visit.checked_at,
        "changed_at": visit.changed_at,
        "gone_since": visit.gone_since,
        "gone_at": visit.gone_at,
    }


def _visit(row: RowMapping) -> Visit:
    sighting = Sighting(**{name: row[name] for name in _SEEN})
    return Visit(
        row["url"], sighting, row["checked_at"], row["changed_at"], row["gone_since"], row["gone_at"]
    )
