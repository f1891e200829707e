"""A programme that several records make: one hit, its sources, and facts that stay the shown record's own."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from app.answer import answer
from app.call import SearchCall
from app.kin import MOST, kin, sources
from app.library import Library
from index.build import build
from index.document import Document, Window
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.types import Query

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
SHUT = Document(
    doc_id="b-old",
    title="Ilse Marquardt Ocean Scholarship",
    provider="Kiel University",
    windows=(Window(deadline_on=date(2025, 5, 1), kind="fixed"),),
    programme_id="ocean",
    source="feed-b",
    url="https://b.example/ocean",
)
OPEN = replace(
    SHUT,
    doc_id="a-new",
    title="Ilse Marquardt Ocean Scholarships 2027",
    provider="Kiel",
    windows=(Window(deadline_on=date(2026, 12, 1), kind="fixed"),),
    source="feed-a",
    url="https://a.example/ocean",
)
ALONE = Document(doc_id="z", title="Marquardt Prize", source="feed-a", programme_id="prize")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    home: Path = tmp_path_factory.mktemp("kin")
    return open_snapshot(build([SHUT, OPEN, ALONE], home, None).folder)


def hits(snapshot: Snapshot, text: str) -> list[dict[str, Any]]:
    call = SearchCall(Query("q", text, AT), "r", page_size=10, system="bm25")
    found: list[dict[str, Any]] = answer(call, Library(snapshot, None, time.perf_counter, "key"))["hits"]
    return found


def test_linked_records_are_one_hit_with_its_sources(snapshot: Snapshot) -> None:
    first, second = hits(snapshot, "Ilse Marquardt ocean scholarship")
    # The round that is open is shown, and everything else in the hit is of that same record.
    assert (first["id"], first["provider"], first["availability"]) == ("a-new", "Kiel", "open")
    assert first["sources"] == [
        {"id": "a-new", "source": "feed-a", "url": OPEN.url, "title": OPEN.title},
        {"id": "b-old", "source": "feed-b", "url": SHUT.url, "title": SHUT.title},
    ]
    assert (second["id"], second["sources"]) == ("z", None)


def test_kin_are_the_records_of_one_programme(snapshot: Snapshot) -> None:
    ids = snapshot.corpus.ids
    assert [one.doc_id for one in kin(snapshot, ids.index("b-old"))] == ["a-new", "b-old"]
    assert [one.doc_id for one in kin(snapshot, ids.index("z"))] == ["z"]


def test_sources_begin_with_the_shown_record_and_end_in_time() -> None:
    many = [replace(SHUT, doc_id=f"n{at:03}") for at in range(100)]
    told = sources(many[50], many)
    assert told is not None
    assert [one["id"] for one in told[:3]] == ["n050", "n000", "n001"]
    assert len(told) == MOST
    assert sources(many[0], many[:1]) is None
