"""The shipped fake, where its own rules matter: the sort of what is not stated, filters, and an empty corpus."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from app.call import MinScore, SearchCall, SortKey
from app.cursor import Cursor, encode
from app.errors import CursorExpired, UnknownSystem
from app.fake import FakeAnswerer
from app.fake_programmes import programmes
from index.availability import AVAILABILITY
from index.types import Query


def ids(text: str = "", engine: FakeAnswerer | None = None, **rest: Any) -> list[str]:
    query = Query("q", text, datetime(2026, 5, 1, 12, tzinfo=UTC))
    answer = (engine or FakeAnswerer()).search(SearchCall(query, "r", page_size=50, **rest))
    return [hit["id"] for hit in answer["hits"]]


def test_the_programmes_show_every_availability_and_stand_in_order() -> None:
    known = [document.doc_id for document in programmes()]
    assert known == sorted(known)
    query = Query("q", "", datetime(2026, 5, 1, 12, tzinfo=UTC))
    hits = FakeAnswerer().search(SearchCall(query, "r", page_size=50))["hits"]
    assert {hit["availability"] for hit in hits} == set(AVAILABILITY)


@pytest.mark.parametrize(
    ("sort", "first", "last"),
    [
        (["deadline"], "ember-postdoc", "iris-research"),
        (["-deadline"], "baobab-master", "iris-research"),
        (["amount"], "frost-bachelor", "iris-research"),
        (["-amount"], "gaoshan-phd", "iris-research"),
        (["title"], "aurora-doctoral", "gaoshan-phd"),
        (["-title"], "gaoshan-phd", "aurora-doctoral"),
    ],
)
def test_what_is_not_stated_comes_last_either_way(sort: Sequence[SortKey], first: str, last: str) -> None:
    found = ids(sort=tuple(sort))
    assert (found[0], found[-1]) == (first, last)


def test_ties_end_in_ascending_ids() -> None:
    assert ids("grant") == ["baobab-master", "delta-rolling"]
    assert ids("research aurora") == ["aurora-doctoral", "ember-postdoc", "iris-research"]


def test_a_least_score() -> None:
    assert ids("research aurora", min_score=MinScore("bm25", 2.0)) == ["aurora-doctoral"]


def test_nothing_to_search_is_no_error() -> None:
    empty = FakeAnswerer(documents=())
    assert ids("nsf", empty) == ids("", empty) == []


def test_refusals() -> None:
    stale = encode(Cursor("h", "older", datetime(2026, 5, 1, tzinfo=UTC), 2), "fake")
    with pytest.raises(CursorExpired):
        ids(cursor=stale)
    with pytest.raises(UnknownSystem, match="words"):
        ids(system="nope")
