"""Arms that shuffle or mix, through the whole answer: pages, collapsed programmes, chances, teams."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest

import app.answer
from app.answer import answer, fingerprint
from app.blend import Blend
from app.call import MinScore, RerankChoice, SearchCall
from app.errors import CursorInvalid
from app.exploration import chances
from app.library import Library
from app.plan import Exploration, Interleaving, Plan
from app.reranking import Judge
from app.systems import system
from index.build import build
from index.document import Document, Window
from index.fit import FIT_FEATURES
from index.storage import open_snapshot
from index.types import Query
from models.hashing import HashingEncoder
from models.rung import Rung
from models.scores import Scores

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
SEAS = ("marine", "coral", "tidal", "polar", "harbour", "estuary")


def _award(number: int) -> Document:
    """Every second record is a round of the programme of the one before it."""
    return Document(
        doc_id=f"d{number:02}",
        title=f"{SEAS[number % 6].title()} ocean research grant {number}",
        provider="Northsea Institute",
        description="ocean " * (number % 5 + 1) + SEAS[number % 4],
        programme_id=f"p{number // 2}",
        windows=(Window(deadline_on=date(2026, 11, 1 + number % 20) if number % 3 else date(2026, 5, 1)),),
        language="en",
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    documents = [_award(number) for number in range(40)]
    folder = build(documents, tmp_path_factory.mktemp("home"), HashingEncoder()).folder
    return Library(open_snapshot(folder), HashingEncoder(), time.perf_counter, "key")


@pytest.fixture
def arm(monkeypatch: pytest.MonkeyPatch) -> Callable[[Plan], None]:
    """Makes a plan the system `arm`."""

    def named(plan: Plan) -> None:
        monkeypatch.setattr(app.answer, "system", lambda name: plan if name == "arm" else system(name))

    return named


def call(**changes: Any) -> SearchCall:
    query = Query("q", changes.pop("text", "ocean research"), changes.pop("as_of", NOW))
    return SearchCall(query, "r", as_of_given=True, system="arm", **{"page_size": 7} | changes)


def pages(library: Library, **changes: Any) -> list[list[dict[str, Any]]]:
    found, cursor = [], None
    while True:
        told = answer(call(**changes, cursor=cursor), library)
        found.append(told["hits"])
        cursor = told["next_cursor"]
        if cursor is None:
            return found


SWAP = replace(system("hybrid"), explore=Exploration("swap", chance=0.5))
LUCE = replace(system("hybrid"), explore=Exploration("plackett-luce", temperature=1.0))
MIXED = replace(system("bm25"), interleave=Interleaving("dense"))


@pytest.mark.parametrize("plan", [SWAP, LUCE, MIXED], ids=["swap", "plackett-luce", "interleaved"])
def test_pages_are_cut_out_of_one_order(plan: Plan, library: Library, arm: Callable[[Plan], None]):
    arm(plan)
    whole = pages(library, page_size=50)[0]
    found = [hit for page in pages(library, page_size=3) for hit in page]
    assert [hit["id"] for hit in found] == [hit["id"] for hit in whole]
    assert [hit["rank"] for hit in found] == list(range(1, len(whole) + 1))
    assert [(h["propensity"], h["team"]) for h in found] == [(h["propensity"], h["team"]) for h in whole]
    assert len({hit["id"] for hit in whole}) == len(whole)


@pytest.mark.parametrize("plan", [SWAP, LUCE], ids=["swap", "plackett-luce"])
def test_propensities_are_the_chances_of_the_ranks_left_and_taken(
    plan: Plan, library: Library, arm: Callable[[Plan], None]
):
    arm(replace(plan, explore=None))
    plain = [hit["id"] for hit in pages(library, page_size=50)[0]]
    arm(plan)
    assert plan.explore is not None
    table = chances(plan.explore, 10)
    moved = 0
    for user in range(30):
        hits = pages(library, page_size=50, unit_id=f"u{user}")[0]
        assert sorted(hit["id"] for hit in hits) == sorted(plain)
        for hit in hits[:10]:
            base = plain.index(hit["id"])
            assert hit["propensity"] == pytest.approx(table[base, hit["rank"] - 1])
            moved += base != hit["rank"] - 1
        assert all(hit["propensity"] == 1 for hit in hits[10:])
    assert moved > 50


def test_shares_of_shown_ranks_are_the_propensities(library: Library, arm: Callable[[Plan], None]):
    """400 users: how often the first hit of the plan stands first, against what is logged (5 standard errors)."""
    arm(replace(SWAP, explore=None))
    first = pages(library)[0][0]["id"]
    arm(SWAP)
    held = [answer(call(unit_id=f"u{user}", page_size=1), library)["hits"][0] for user in range(400)]
    kept = [hit for hit in held if hit["id"] == first]
    assert {hit["propensity"] for hit in kept} == {0.75}
    assert abs(len(kept) / 400 - 0.75) < 5 * np.sqrt(0.75 * 0.25 / 400)


def test_teams_pick_from_their_own_ranking_once_a_programme(library: Library, arm: Callable[[Plan], None]):
    arm(MIXED)
    whole = answer(call(page_size=50, explain=True), library)
    hits = whole["hits"]
    programmes = [int(hit["id"][1:]) // 2 for hit in hits]
    assert len(set(programmes)) == len(programmes)
    assert whole["total"]["value"] == len(hits)
    teams = [hit["team"] for hit in hits]
    assert teams.count("a") == teams.count("b") > 5
    own = {"a": "lexical", "b": "dense"}
    for hit in hits:
        if hit["team"]:
            assert hit["matched_by"] == [own[hit["team"]]]
            assert hit["why"][0]["code"] == f"matched_{own[hit['team']]}"
        assert hit["propensity"] is None


def test_an_order_that_the_caller_chose_and_a_blank_question_are_left_alone(
    library: Library, arm: Callable[[Plan], None]
):
    for plan in (SWAP, MIXED):
        arm(plan)
        for changes in ({"sort": ("title",)}, {"text": ""}):
            hits = pages(library, **changes)[0]
            assert {(hit["propensity"], hit["team"]) for hit in hits} == {(None, None)}


def test_a_least_score_is_asked_of_the_plan_alone(library: Library, arm: Callable[[Plan], None]):
    """Scores of BM25 say nothing of hits that the dense leg found; the caller knows of no rival and gets no refusal."""
    arm(MIXED)
    told = answer(call(min_score=MinScore("bm25", 0.001), page_size=50), library)
    assert told["hits"]
    assert {hit["team"] for hit in told["hits"]} == {None}


class Late:
    """A judge that likes what has a high number at the end of its id, on the rung it was opened on."""

    name = fingerprint = "late"

    def score(self, query: str, documents: Sequence[str], timings: Any, gated: bool = True) -> Scores:
        numbers = [float(text.split(" grant ")[1].split()[0].strip(".,;|")) for text in documents]
        return Scores(np.array(numbers, np.float32), np.zeros(len(documents), bool))


class Judging:
    """Remembers which rungs were asked for; serves whichever is asked, else the next of its own."""

    def __init__(self, rungs: Sequence[Rung]) -> None:
        self.own, self.asked = list(rungs), list[Rung | None]()

    def begin(self) -> None: ...

    def pick(self, rung: Rung | None = None, floor: Rung = "int4", text: str = "") -> Judge:
        self.asked.append(rung)
        blend = Blend(0.0, 1.0, (0.0,) * len(FIT_FEATURES), highest_logit=50.0, usual_logit=-3.0)
        return Judge(Late(), blend, rung or self.own.pop(0))


def test_reranked_pages_are_mixed_and_stay_on_the_rung_of_the_first(
    library: Library, arm: Callable[[Plan], None]
):
    arm(replace(system("bm25"), interleave=Interleaving("rerank-50")))
    judges = Judging(["int8", "fp16"])
    judged = replace(library, judges=judges)
    first = answer(call(page_size=4), judged)
    second = answer(call(page_size=4, cursor=first["next_cursor"]), judged)
    assert judges.asked == [None, "int8"]
    whole = answer(call(page_size=50), replace(library, judges=Judging(["int8"])))["hits"]
    pages = first["hits"] + second["hits"]
    assert [hit["id"] for hit in pages] == [hit["id"] for hit in whole[:8]]
    # What the reranker put first is the first pick of its team.
    of_rival = [int(hit["id"][1:]) for hit in whole if hit["team"] == "b"]
    assert of_rival[0] >= 38
    assert next(hit for hit in whole if hit["team"] == "b")["scores"]["rerank"] is not None


def test_who_chose_about_reranking_is_not_mixed_with_another_choice(
    library: Library, arm: Callable[[Plan], None]
):
    arm(replace(system("bm25"), interleave=Interleaving("rerank")))
    told = answer(call(rerank=RerankChoice(enabled=False)), library)
    assert {hit["team"] for hit in told["hits"]} == {None}
    assert told["degraded"] == []


def test_a_rival_has_what_the_plan_left_of_the_budget(library: Library, arm: Callable[[Plan], None]):
    """A clock that moves 10 ms at each look: after the plan's own ranking nothing is left of 15 ms."""

    class Ticks:
        now = 0.0

        def __call__(self) -> float:
            self.now += 0.01
            return self.now

    arm(replace(system("bm25"), interleave=Interleaving("hybrid")))
    told = answer(call(budget_ms=15.0), replace(library, clock=Ticks()))
    assert {"stage": "dense", "reason": "budget"} in told["degraded"]
    assert len(told["hits"]) == 7


def test_a_page_continues_the_draw_of_its_own_user_only(library: Library, arm: Callable[[Plan], None]):
    arm(SWAP)
    cursor = answer(call(unit_id="one"), library)["next_cursor"]
    with pytest.raises(CursorInvalid):
        answer(call(unit_id="two", cursor=cursor), library)
    arm(SWAP)
    cursor = answer(call(session_id="one"), library)["next_cursor"]
    with pytest.raises(CursorInvalid):
        answer(call(session_id="two", cursor=cursor), library)
    arm(system("hybrid"))
    cursor = answer(call(unit_id="one"), library)["next_cursor"]
    assert answer(call(unit_id="two", cursor=cursor), library)["hits"]


def test_the_fingerprint_knows_the_rival(library: Library, monkeypatch: pytest.MonkeyPatch):
    before = fingerprint(library.snapshot, MIXED)
    rival = replace(system("dense"), depth=77)
    monkeypatch.setattr(app.answer, "system", lambda name: rival)
    assert fingerprint(library.snapshot, MIXED) != before


def test_a_rival_that_fails_leaves_the_plan_alone(library: Library, arm: Callable[[Plan], None]):
    class Broken(HashingEncoder):
        def encode_queries(self, texts: Any) -> Any:
            raise RuntimeError("gone")

    arm(MIXED)
    told = answer(call(), replace(library, encoder=Broken()))
    assert told["degraded"] == [{"stage": "dense", "reason": "error"}]
    assert len(told["hits"]) == 7
    assert {hit["team"] for hit in told["hits"]} == {None}
