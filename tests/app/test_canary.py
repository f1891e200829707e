"""The judged canary: what it ranks, what it calls an alarm, and that it never takes part in an experiment."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.call import SearchCall
from app.canary.errors import CanaryError
from app.canary.memory import FILE, TOLERANCE, Memory, Verdict
from app.canary.reading import Reading, take_reading
from app.canary.roster import SHIPPED, read_roster
from app.canary.watch import Canary
from app.errors import NotReady
from app.fake import FakeAnswerer
from index.catalogue.shipped import programmes

AT = datetime(2026, 5, 1, tzinfo=UTC)


def write_set(folder: Path, queries: list[dict[str, Any]], qrels: list[tuple[str, str, int]]) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(query) for query in queries) + "\n")
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in qrels)]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n")
    return folder


def query(query_id: str, text: str, as_of: str | None = "2026-05-01", **more: Any) -> dict[str, Any]:
    return {"_id": query_id, "text": text, "as_of": as_of, **more}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """One query answered first, one whose record is second, one whose record does not exist."""
    queries = [query("a", "aurora doctoral fellowship"), query("b", "grant"), query("c", "nothing")]
    qrels = [("a", "aurora-doctoral", 3), ("b", "delta-rolling", 3), ("c", "long-gone", 3)]
    return write_set(tmp_path / "small", queries, qrels)


def by_hand(answerer: FakeAnswerer, folder: Path) -> float:
    """MRR@5 of the answerable queries, computed without the metrics library."""
    roster = read_roster(folder)
    found = []
    for asked in roster.queries:
        wanted = {doc_id for doc_id, grade in roster.qrels[asked.query_id].items() if grade >= 2}
        if not any(answerer.opportunity(doc_id) for doc_id in wanted):
            continue
        seen = [hit["id"] for hit in answerer.search(call(asked.text, asked.as_of))["hits"]][:5]
        found.append(next((1 / rank for rank, doc_id in enumerate(seen, 1) if doc_id in wanted), 0.0))
    return sum(found) / len(found)


def call(text: str, as_of: datetime | None) -> SearchCall:
    from index.types import Query

    assert as_of is not None
    return SearchCall(Query(query_id="q", text=text, as_of=as_of), "r", as_of_given=True)


def test_a_reading_is_the_mean_over_what_can_be_answered(small: Path) -> None:
    answerer = FakeAnswerer()
    reading = take_reading(answerer, read_roster(small), AT)
    assert (reading.queries, reading.unanswerable, reading.degraded) == (2, 1, 0)
    assert reading.mrr5 == pytest.approx(by_hand(answerer, small), abs=1e-12)
    assert 0 < reading.mrr5 <= 1
    assert reading.system == answerer.search(call("aurora", AT))["served"]["system"]


def test_it_sends_no_unit_and_its_own_instant(small: Path) -> None:
    calls: list[SearchCall] = []

    class Listening(FakeAnswerer):
        def search(self, call: SearchCall) -> Mapping[str, Any]:
            calls.append(call)
            return super().search(call)

    take_reading(Listening(), read_roster(small), AT)
    assert [one.unit_id for one in calls] == [None, None]
    assert all(one.as_of_given and one.query.as_of.date().isoformat() == "2026-05-01" for one in calls)


def test_a_catalogue_without_any_of_its_records_is_told(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "gone", [query("c", "nothing")], [("c", "long-gone", 3)])
    with pytest.raises(CanaryError, match="none of its relevant records"):
        take_reading(FakeAnswerer(), read_roster(folder), AT)


@pytest.mark.parametrize(
    ("queries", "said"),
    [
        ([query("a", "x", as_of=None)], "has no `as_of`"),
        ([query("a", "x", filters={"levels": ["phd"]})], "has filters"),
        ([query("z", "x")], "no query with a judgement"),
    ],
)
def test_sets_that_cannot_be_sung(tmp_path: Path, queries: list[dict[str, Any]], said: str) -> None:
    folder = write_set(tmp_path / "bad", queries, [("a", "aurora-doctoral", 3)])
    with pytest.raises(CanaryError, match=said):
        read_roster(folder)


def test_the_shipped_queries_ask_for_shipped_records() -> None:
    roster = read_roster()
    assert roster.documents <= {document.doc_id for document in programmes()}
    assert len(roster.queries) >= 40
    assert len({asked.text.casefold() for asked in roster.queries}) == len(roster.queries)
    assert roster.name == "shipped"


def test_the_shipped_queries_are_not_those_of_a_judged_set(shared: Path) -> None:
    theirs = {
        " ".join(json.loads(line)["text"].casefold().split())
        for line in (shared / "data/awardbench/queries.jsonl").read_text(encoding="utf-8").splitlines()
    }
    ours = {" ".join(asked.text.casefold().split()) for asked in read_roster().queries}
    assert len(ours & theirs) <= len(ours) // 10  # a bare name can only be asked for in one way


def reading(mrr5: float, **more: Any) -> Reading:
    values = {"set_name": "s", "set_fingerprint": "f", "system": "x", "fingerprint": "p", "at": AT}
    return Reading(**{**values, "mrr5": mrr5, "queries": 4, "unanswerable": 0, "degraded": 0, **more})


@given(first=st.floats(0, 1), second=st.floats(0, 1))
def test_an_alarm_is_a_fall_below_the_first_reading(
    tmp_path_factory: pytest.TempPathFactory, first: float, second: float
) -> None:
    memory = Memory(tmp_path_factory.mktemp("home"))
    assert memory.weigh(reading(first)) == Verdict(reading(first), None)
    verdict = memory.weigh(reading(second))
    assert verdict.accepted == first
    assert verdict.alarm == (second < first - TOLERANCE)
    assert ("FELL" in verdict.sentence()) == verdict.alarm
    assert memory.weigh(reading(first)).accepted == first  # a bad one is never what later ones stand beside


def test_accepting_and_other_sets_begin_anew(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    memory.weigh(reading(0.9))
    assert not memory.weigh(reading(0.2), accept=True).alarm
    assert memory.weigh(reading(0.2)).accepted == 0.2
    assert memory.weigh(reading(0.1, system="y")).accepted is None
    assert memory.weigh(reading(0.1, set_fingerprint="g")).accepted is None


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"s f x": "high"}'])
def test_a_torn_memory_is_no_memory(tmp_path: Path, torn: str) -> None:
    (tmp_path / FILE).write_text(torn)
    assert Memory(tmp_path).weigh(reading(0.5)).accepted is None
    assert Memory(tmp_path).weigh(reading(0.5)).accepted == 0.5


def test_the_watch_tells_every_round_and_outlives_a_failure(small: Path, tmp_path: Path) -> None:
    told: list[Verdict] = []
    twice = threading.Event()
    asked = []

    def answerer() -> FakeAnswerer:
        asked.append(1)
        if len(asked) == 1:
            raise NotReady(("still loading",))
        return FakeAnswerer()

    def tell(verdict: Verdict) -> None:
        told.append(verdict)
        if len(told) == 2:
            twice.set()

    canary = Canary(small, tmp_path, 0.0005, answerer, tell, pause_s=0)
    canary.start()
    assert twice.wait(60)
    canary.stop()
    assert [verdict.accepted is None for verdict in told[:2]] == [True, False]
    assert told[0].reading.mrr5 == told[1].reading.mrr5


def test_a_watch_that_is_stopped_in_the_middle_tells_nothing(small: Path, tmp_path: Path) -> None:
    singing, told = threading.Event(), []

    class Slow(FakeAnswerer):
        def search(self, call: SearchCall) -> Mapping[str, Any]:
            singing.set()
            return super().search(call)

    canary = Canary(small, tmp_path, 0.0005, Slow, told.append, pause_s=3600)
    canary.start()
    assert singing.wait(60)
    canary.stop()
    canary._thread.join(60)
    assert not canary._thread.is_alive()
    assert told == []


def test_the_service_shows_the_reading(make_client: Any, small: Path, tmp_path: Path) -> None:
    client = make_client(home=tmp_path / "home", canary_minutes=0.0005, canary_set=small)
    for _ in range(3000):
        text = client.get("/metrics").text
        if 'scholarsearch_judged_mrr5{set="small"' in text:
            break
    assert 'scholarsearch_judged_mrr5{set="small",system="words"}' in text
    assert 'scholarsearch_canary_alarm{set="small",system="words"} 0.0' in text


def test_the_shipped_folder_is_inside_the_package() -> None:
    assert SHIPPED.is_dir()
    assert (SHIPPED / "queries.jsonl").is_file()
