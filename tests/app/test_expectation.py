"""Estimates in answers: beside the facts of a hit, drawn from all records of its programme, never among the facts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from app.hit import Hits
from app.pipeline import search
from app.systems import system
from index.build import build
from index.document import Document, Window
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.types import Query
from models.hashing import HashingEncoder


def rounds(doc_id: str, *years: int, **facts: Any) -> Document:
    windows = tuple(Window(deadline_on=date(year, 9, 2), kind="fixed", cycle=str(year)) for year in years)
    return Document(doc_id, "Lighthouse Bursary", provider="Lantern Trust", windows=windows, **facts)


@pytest.fixture(scope="module")
def snapshot(twelve: tuple[Document, ...], tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    own = (
        rounds("b1-linked-old", 2024, programme_id="lighthouse"),
        rounds("b2-linked-new", 2025, programme_id="lighthouse"),
        rounds("b3-alone", 2025),
        rounds("b4-confirmed", 2024, 2025, 2026, programme_id="confirmed"),
        replace(
            rounds("b5-confirmed-next", programme_id="confirmed"),
            windows=(Window(deadline_on=date(2027, 9, 2), kind="fixed"),),
        ),
    )
    return open_snapshot(build((*twelve, *own), tmp_path_factory.mktemp("home"), HashingEncoder()).folder)


@pytest.fixture
def hits(snapshot: Snapshot, frozen_now: datetime) -> Hits:
    query = Query("q", "bursary", frozen_now)
    clock = iter(range(1000)).__next__
    return Hits(search(query, system("bm25"), snapshot, None, clock), snapshot)


def hit(hits: Hits, snapshot: Snapshot, doc_id: str) -> dict[str, Any]:
    row = snapshot.corpus.row(doc_id)
    assert row is not None
    return hits.hit(row, 1, explain=False)


@pytest.mark.parametrize("doc_id", ["b1-linked-old", "b2-linked-new"])
def test_the_records_of_one_programme_speak_together(hits: Hits, snapshot: Snapshot, doc_id: str) -> None:
    found = hit(hits, snapshot, doc_id)
    assert found["estimate"] == {
        "opens_on": None,
        "deadline_on": "2027-09-02",
        "basis": "closed on 2 Sep in 2024 and 2025",
        "years": [2024, 2025],
    }
    # What is stated stays as it is.
    assert (found["availability"], found["days_left"]) == ("closed", None)
    assert found["window"]["expected_on"] == "2027-09-02"
    assert found["window"]["deadline_on"] in ("2024-09-02", "2025-09-02")


@pytest.mark.parametrize(
    "doc_id", ["b3-alone", "b4-confirmed", "b5-confirmed-next", "a09-mistral", "a01-ocean-phd"]
)
def test_one_round_or_a_confirmed_one_gives_none(hits: Hits, snapshot: Snapshot, doc_id: str) -> None:
    found = hit(hits, snapshot, doc_id)
    assert found["estimate"] is None
    assert found["window"]["expected_on"] is None


def test_a_stated_day_of_every_year_is_its_own_basis(hits: Hits, snapshot: Snapshot) -> None:
    found = hit(hits, snapshot, "a08-bjork")
    assert found["estimate"] == {
        "opens_on": None,
        "deadline_on": "2027-03-01",
        "basis": "stated to close on 1 Mar each year",
        "years": [],
    }
    assert found["window"]["expected_on"] == "2027-03-01"
