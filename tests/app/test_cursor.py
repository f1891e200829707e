"""Cursors: what goes in comes out, nothing altered comes out, and they tell searches and snapshots apart."""

from __future__ import annotations

import dataclasses
import string
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.call import MinScore, RerankChoice, SearchCall
from app.cursor import Cursor, check, decode, encode, query_hash
from app.errors import CursorExpired, CursorInvalid
from index.types import Filters, Profile, Query

AS_OF = datetime(2026, 5, 1, 12, tzinfo=UTC)
CURSORS = st.builds(
    Cursor,
    query_hash=st.text(string.hexdigits, min_size=1, max_size=16),
    fingerprint=st.text(max_size=40).filter(lambda text: text.isprintable()),
    as_of=st.datetimes(datetime(1900, 1, 2), datetime(2199, 12, 30), timezones=st.timezones()),
    offset=st.integers(0, 10**6),
)
URL_SAFE = set(string.ascii_letters + string.digits + "-_")


@given(cursor=CURSORS, key=st.text(max_size=20))
def test_what_goes_in_comes_out_and_fits_a_url(cursor: Cursor, key: str) -> None:
    text = encode(cursor, key)
    assert set(text) <= URL_SAFE
    assert decode(text, key) == cursor


@given(cursor=CURSORS, data=st.data())
def test_no_character_can_be_altered(cursor: Cursor, data: st.DataObject) -> None:
    text = encode(cursor, "key")
    at = data.draw(st.integers(0, len(text) - 1))
    altered = text[:at] + data.draw(st.sampled_from(sorted(URL_SAFE - {text[at]}))) + text[at + 1 :]
    try:
        same = decode(altered, "key")
    except CursorInvalid:
        return
    # The last character of unpadded base64 has bits that mean nothing.
    assert same == cursor
    assert at == len(text) - 1


@given(text=st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: raw.decode("latin-1")))
def test_no_text_is_anything_but_refused(text: str) -> None:
    with pytest.raises(CursorInvalid):
        decode(text, "key")


@given(cursor=CURSORS, cut=st.integers(1, 200))
def test_a_part_or_another_key_is_refused(cursor: Cursor, cut: int) -> None:
    text = encode(cursor, "key")
    for other, key in ((text[:-cut], "key"), (text[cut:], "key"), (text + "A" * 4, "key"), (text, "other")):
        with pytest.raises(CursorInvalid):
            decode(other, key)


def call(**changes: Any) -> SearchCall:
    of_query = {"text": "grant", "as_of": AS_OF} | {
        key: changes.pop(key)
        for key in list(changes)
        if key in {field.name for field in dataclasses.fields(Query)}
    }
    return SearchCall(query=Query(query_id="1", **of_query), request_id="r", **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "grants"},
        {"zone": "Europe/Oslo"},
        {"lang": "en"},
        {"filters": Filters(levels=("phd",))},
        {"filters": Filters(unknown="exclude")},
        {"profile": Profile(level="phd")},
        {"sort": ("title",)},
        {"min_score": MinScore("bm25", 1.0)},
        {"rerank": RerankChoice(enabled=False)},
    ],
    ids=str,
)
def test_what_changes_the_ranking_changes_the_hash(changes: dict[str, Any]) -> None:
    assert query_hash(call(**changes), AS_OF, "plan") != query_hash(call(), AS_OF, "plan")


def test_the_plan_and_the_instant_are_part_of_it() -> None:
    own = query_hash(call(), AS_OF, "plan")
    assert own != query_hash(call(), AS_OF, "other plan")
    assert own != query_hash(call(), AS_OF + timedelta(seconds=1), "plan")
    assert own == query_hash(call(), AS_OF.astimezone(), "plan")


@pytest.mark.parametrize(
    "changes",
    [
        {"page_size": 50},
        {"facets": ("levels",)},
        {"explain": True},
        {"budget_ms": 5.0},
        {"cursor": "x"},
        {"priority": "batch"},
        {"unit_id": "u"},
    ],
    ids=str,
)
def test_what_does_not_may_differ_from_page_to_page(changes: dict[str, Any]) -> None:
    assert query_hash(call(**changes), AS_OF, "plan") == query_hash(call(), AS_OF, "plan")


def test_another_snapshot_is_expired_and_another_search_is_invalid() -> None:
    cursor = Cursor("aa", "snapshot-1", AS_OF, 10)
    check(cursor, "aa", "snapshot-1")
    with pytest.raises(CursorExpired):
        check(cursor, "bb", "snapshot-2")
    with pytest.raises(CursorInvalid):
        check(cursor, "bb", "snapshot-1")
