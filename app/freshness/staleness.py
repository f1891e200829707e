"""How old the records are, source by source: a pure count over records and visits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from statistics import median_low

from app.store.visits import Visit
from index.availability import availability
from index.document import Document


@dataclass(slots=True)
class Staleness:
    """The records of one source, or of all.

    Days are those on which a record was verified or updated, as it says. never_verified, only_past: records without
    a `verified_on`, and with rounds that have all closed. broken: links that are gone. unlooked: never looked at.
    age_days: since the newer of both days, of each record that states one.
    """

    records: int = 0
    links: int = 0
    never_verified: int = 0
    only_past: int = 0
    broken: int = 0
    unlooked: int = 0
    changed: int = 0
    verified: list[date] = field(default_factory=list)
    updated: list[date] = field(default_factory=list)
    age_days: list[int] = field(default_factory=list)

    @property
    def median_age_days(self) -> int | None:
        """The middle age; None when no record states a day."""
        return median_low(self.age_days) if self.age_days else None

    def take(self, document: Document, visit: Visit | None, as_of: datetime) -> None:
        """Counts one record."""
        self.records += 1
        self.never_verified += document.verified_on is None
        self.only_past += availability(document.windows, as_of).state == "closed"
        if document.url is not None:
            self.links += 1
            self.unlooked += visit is None
            self.broken += visit is not None and visit.broken_since is not None
            self.changed += visit is not None and visit.changed_at is not None
        updated = document.updated_at.date() if document.updated_at else None
        self.verified += [document.verified_on] if document.verified_on else []
        self.updated += [updated] if updated else []
        newest = max((day for day in (document.verified_on, updated) if day), default=None)
        if newest is not None:
            self.age_days.append((as_of.date() - newest).days)

    def to_json(self) -> dict[str, object]:
        """The counts as plain JSON values; shares are null where there is nothing to share."""
        return {
            "records": self.records,
            "verified_on": _span(self.verified),
            "updated_at": _span(self.updated),
            "median_age_days": self.median_age_days,
            "never_verified": _share(self.never_verified, self.records),
            "only_past_windows": _share(self.only_past, self.records),
            "links": self.links,
            "links_broken": self.broken,
            "links_changed": self.changed,
            "links_never_checked": self.unlooked,
        }


def staleness(
    documents: Iterable[Document], visits: Mapping[str, Visit], as_of: datetime
) -> tuple[Staleness, dict[str, Staleness]]:
    """The staleness of all records, and of each source; "" is the source of records that name none."""
    everything: Staleness = Staleness()
    by_source: dict[str, Staleness] = defaultdict(Staleness)
    for document in documents:
        visit = visits.get(document.url) if document.url else None
        for one in (everything, by_source[document.source or ""]):
            one.take(document, visit, as_of)
    return everything, dict(sorted(by_source.items()))


def _span(days: list[date]) -> dict[str, str | None]:
    return {
        "oldest": min(days).isoformat() if days else None,
        "newest": max(days).isoformat() if days else None,
    }


def _share(count: int, total: int) -> float | None:
    return round(count / total, 4) if total else None
