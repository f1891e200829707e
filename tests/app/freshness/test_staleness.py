"""The report of how old records are, against counts made by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from app.freshness.staleness import staleness
from app.store.sighting import Sighting
from app.store.visits import first_visit
from index.document import Document, Window

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
URL = "https://awards.example/1"


def closing(day: str) -> tuple[Window, ...]:
    return (Window(deadline_on=date.fromisoformat(day), kind="fixed"),)


def test_records_are_counted_by_source() -> None:
    gone = first_visit(URL, Sighting("gone", 404), NOW - timedelta(days=3))
    visits = {URL: gone.followed(Sighting("gone", 404), NOW - timedelta(days=1))}
    everything, by_source = staleness(
        [
            Document(
                "a", "A", source="one", url=URL, verified_on=date(2026, 11, 21), windows=closing("2026-12-24")
            ),
            Document(
                "b",
                "B",
                source="one",
                updated_at=datetime(2026, 1, 5, tzinfo=UTC),
                windows=closing("2026-03-01"),
            ),
            Document("c", "C", url="https://awards.example/2"),
        ],
        visits,
        NOW,
    )
    assert by_source["one"].to_json() == {
        "records": 2,
        "verified_on": {"oldest": "2026-11-21", "newest": "2026-11-21"},
        "updated_at": {"oldest": "2026-01-05", "newest": "2026-01-05"},
        "median_age_days": 10,
        "never_verified": 0.5,
        "only_past_windows": 0.5,
        "links": 1,
        "links_broken": 1,
        "links_changed": 0,
        "links_never_checked": 0,
    }
    assert by_source[""].to_json()["links_never_checked"] == 1
    assert (everything.records, everything.links, everything.broken) == (3, 2, 1)


def test_nothing_to_count_is_null_not_zero() -> None:
    everything, by_source = staleness([], {}, NOW)
    assert by_source == {}
    told = everything.to_json()
    assert told["never_verified"] is told["median_age_days"] is told["only_past_windows"] is None
