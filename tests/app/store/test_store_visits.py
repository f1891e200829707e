"""What was seen of links, on both databases: broken after two different days; a look changes no record."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.settings import Settings
from app.store import Store, archive, open_store
from app.store.sighting import Sighting
from app.store.visits import Visit, all_visits, first_visit, keep_visits, visits_of
from index.document import Document

T0 = datetime(2026, 11, 20, 9, tzinfo=UTC)
DAY = timedelta(days=1)
URL = "https://awards.example/1"
OK = Sighting("ok", 200, etag='"1"', last_modified="then", content_hash="aa")
GONE = Sighting("gone", 404)
AWAY = Sighting("unreachable", detail="TimeoutError")


def after(*looks: tuple[Sighting, timedelta]) -> Visit:
    (first, at), *others = looks
    visit = first_visit(URL, first, T0 + at)
    for sighting, later in others:
        visit = visit.followed(sighting, T0 + later)
    return visit


def test_a_link_is_broken_once_it_was_gone_on_two_different_days() -> None:
    hour = timedelta(hours=1)
    assert after((GONE, 0 * DAY)).broken_since is None
    assert after((GONE, 0 * DAY), (GONE, hour)).broken_since is None
    assert after((GONE, 0 * DAY), (GONE, DAY)).broken_since == T0
    assert after((GONE, 0 * DAY), (AWAY, DAY), (GONE, 2 * DAY)).broken_since == T0
    assert after((GONE, 0 * DAY), (OK, DAY), (GONE, 2 * DAY)).broken_since is None
    assert after((GONE, 0 * DAY), (GONE, DAY), (OK, 2 * DAY)).broken_since is None


def test_a_page_has_changed_when_its_words_have() -> None:
    other = replace(OK, content_hash="bb")
    assert after((OK, 0 * DAY), (OK, DAY)).changed_at is None
    assert after((OK, 0 * DAY), (other, DAY), (other, 2 * DAY)).changed_at == T0 + DAY
    assert after((OK, 0 * DAY), (AWAY, DAY), (other, 2 * DAY)).changed_at == T0 + 2 * DAY


def test_what_a_failed_look_could_not_see_is_kept_for_the_next() -> None:
    seen = after((OK, 0 * DAY), (AWAY, DAY)).sighting
    assert (seen.state, seen.etag, seen.last_modified, seen.content_hash) == (
        "unreachable",
        '"1"',
        "then",
        "aa",
    )


@given(st.lists(st.tuples(st.sampled_from([OK, GONE, AWAY]), st.integers(0, 60)), min_size=1, max_size=12))
def test_broken_is_what_the_history_says(history: list[tuple[Sighting, int]]) -> None:
    history = sorted(history, key=lambda look: look[1])
    visit = after(*((sighting, timedelta(hours=hours)) for sighting, hours in history))
    since_there: list[datetime] = []
    for sighting, hours in history:
        if sighting.state == "ok":
            since_there = []
        elif sighting.state == "gone":
            since_there.append(T0 + timedelta(hours=hours))
    broken = len({at.date() for at in since_there}) > 1
    assert visit.broken_since == (since_there[0] if broken else None)


def test_visits_are_kept_and_followed(store: Store) -> None:
    keep_visits(store, [(URL, GONE), ("https://b.example/" + "x" * 5000, OK)], T0)
    keep_visits(store, [(URL, GONE)], T0 + DAY)
    found = {visit.url: visit for visit in all_visits(store)}
    assert len(found) == 2
    assert found[URL] == after((GONE, 0 * DAY), (GONE, DAY))
    assert visits_of(store, [URL, "https://nobody.example/"]) == {URL: found[URL]}


def test_two_looks_in_one_batch_follow_each_other(store: Store) -> None:
    keep_visits(store, [(URL, OK), (URL, replace(OK, content_hash="bb"))], T0)
    assert visits_of(store, [URL])[URL].changed_at == T0


def test_looking_changes_no_record(store: Store) -> None:
    store.upsert([Document("a", "Award", url=URL)], "feed", T0)
    before = (store.get("a"), store.counts(), store.revisions("a"))
    keep_visits(store, [(URL, GONE)], T0)
    keep_visits(store, [(URL, GONE)], T0 + DAY)
    assert (store.get("a"), store.counts(), store.revisions("a")) == before


def test_many_visits_at_once(store: Store) -> None:
    urls = [f"https://awards.example/{at}" for at in range(1200)]
    keep_visits(store, [(url, OK) for url in urls], T0)
    keep_visits(store, [(url, GONE) for url in urls], T0 + DAY)
    assert len(visits_of(store, urls)) == 1200
    assert {visit.sighting.state for visit in all_visits(store)} == {"gone"}


def test_a_backup_brings_them_back(store: Store, tmp_path: Path) -> None:
    keep_visits(store, [(URL, GONE)], T0)
    keep_visits(store, [(URL, GONE)], T0 + DAY)
    archive.backup(store, tmp_path / "backup.jsonl.gz")
    other = open_store(Settings(home=tmp_path / "other"))
    try:
        keep_visits(other, [("https://later.example/", OK)], T0)
        archive.restore(other, tmp_path / "backup.jsonl.gz")
        assert list(all_visits(other)) == list(all_visits(store))
    finally:
        other.close()
