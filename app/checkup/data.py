"""How old the data is: the edition of the catalogue, the records of the store, the last ingest, broken links."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice
from pathlib import Path

from app.freshness.staleness import Staleness, staleness
from app.settings import Settings
from app.store import Store, open_store
from app.store.arrivals import last_arrivals
from app.store.errors import StoreError
from app.store.opening import FILE
from app.store.seed import SOURCE
from app.store.visits import all_visits

from .finding import Finding

OLD_EDITION_DAYS = 180
OLD_RECORDS_DAYS = 365
"""Half of the records not verified or updated for longer: most of what they say of dates is of a past round."""
_SECTION = "data"
_MOST_RECORDS = 20_000
_REPORT = "scholarsearch freshness report"


def data(settings: Settings, catalogue: Path, now: datetime) -> Iterator[Finding]:
    """The findings on the age of the data; of a store that is not there yet only that."""
    yield edition(catalogue, now)
    if settings.store_url is None and not (settings.home / FILE).is_file():
        yield Finding(
            _SECTION, "store", "absent", "none yet: the first start fills it", "scholarsearch index"
        )
        return
    try:
        store = open_store(settings)
    except StoreError as error:
        yield Finding(_SECTION, "store", "failure", str(error), "scholarsearch restore FILE")
        return
    try:
        yield from _stored(store, now)
    except StoreError as error:
        yield Finding(_SECTION, "store", "failure", str(error), "scholarsearch restore FILE")
    finally:
        store.close()


def edition(catalogue: Path, now: datetime) -> Finding:
    """The day of the shipped catalogue: that of its newest record."""
    try:
        day = _newest(catalogue)
    except (OSError, ValueError, KeyError) as error:
        detail = f"{catalogue.name} cannot be read ({error})"
        return Finding(_SECTION, "edition", "failure", detail, "make distclean setup")
    if day is None:
        return Finding(_SECTION, "edition", "absent", "its records state no day")
    age_days = (now.date() - day).days
    facts = {"edition": day.isoformat(), "age_days": age_days}
    detail = f"catalogue of {day}, {age_days:,} days old"
    if age_days > OLD_EDITION_DAYS:
        fix = "install a newer ScholarSearch, or scholarsearch ingest newer files"
        return Finding(_SECTION, "edition", "warning", f"{detail}: over {OLD_EDITION_DAYS} days", fix, facts)
    return Finding(_SECTION, "edition", "ok", detail, None, facts)


def _newest(catalogue: Path) -> date | None:
    with gzip.open(catalogue, "rt", encoding="utf-8") as lines:
        days = [day[:10] for line in lines if (day := json.loads(line).get("updated_at"))]
    return date.fromisoformat(max(days)) if days else None


def _stored(store: Store, now: datetime) -> Iterator[Finding]:
    visits = {visit.url: visit for visit in all_visits(store)}
    held = store.counts().records
    found, _ = staleness(islice(store.documents(), _MOST_RECORDS), visits, now)
    yield _records(found, held)
    yield _arrival(store, now)
    yield _links(found)


def _records(found: Staleness, held: int) -> Finding:
    age = found.median_age_days
    told = found.to_json()
    facts = {
        "records": held,
        "looked_at": found.records,
        **{name: told[name] for name in ("median_age_days", "never_verified", "only_past_windows")},
    }
    if not found.records:
        return Finding(_SECTION, "records", "absent", "the store is empty", "scholarsearch index", facts)
    detail = f"{held:,}; " + ("none states its age" if age is None else f"half are over {age:,} days old")
    detail += f", {found.never_verified / found.records:.0%} never verified, "
    detail += f"{found.only_past / found.records:.0%} with past dates only"
    if found.records < held:
        detail += f" (of the first {found.records:,})"
    if age is not None and age > OLD_RECORDS_DAYS:
        return Finding(
            _SECTION, "records", "warning", f"{detail}: over {OLD_RECORDS_DAYS} days", _REPORT, facts
        )
    return Finding(_SECTION, "records", "ok", detail, None, facts)


def _arrival(store: Store, now: datetime) -> Finding:
    arrivals = {source: at for source, at in last_arrivals(store).items() if source != SOURCE}
    if not arrivals:
        return Finding(
            _SECTION, "last ingest", "absent", "none: the catalogue alone", "scholarsearch ingest FILE"
        )
    source, at = max(arrivals.items(), key=lambda pair: pair[1])
    facts = {"at": at.isoformat(timespec="seconds"), "source": source}
    detail = f"{at:%Y-%m-%d}, {(now - at).days:,} days ago ({source or 'no source named'})"
    return Finding(_SECTION, "last ingest", "ok", detail, None, facts)


def _links(found: Staleness) -> Finding:
    facts = {"links": found.links, "broken": found.broken, "never_checked": found.unlooked}
    detail = f"{found.broken:,} broken of {found.links:,}, {found.unlooked:,} never checked"
    if found.broken:
        return Finding(_SECTION, "links", "warning", detail, _REPORT, facts)
    if found.links == found.unlooked:
        return Finding(_SECTION, "links", "absent", detail, "scholarsearch freshness check", facts)
    return Finding(_SECTION, "links", "ok", detail, None, facts)
