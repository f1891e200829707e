"""The rerank stage under a judge that can be reasoned about: it counts words and hears the time gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from app.blend import Blend
from app.contribution import contributions
from app.pipeline import Ranking, search
from app.plan import Plan, Reranking
from app.reranking import Asked, Judge, read
from app.systems import system
from index.availability import availability
from index.build import build
from index.document import Document
from index.fit import FIT_FEATURES, fit_fingerprint
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.timing import TIMING_FEATURES
from index.types import Query
from models.hashing import HashingEncoder
from models.scores import Scores

CLOSED = TIMING_FEATURES.index("is_closed")
ALL = Reranking(adaptive=False)


class Counting:
    """Logit: how many words of the query stand in the text; three less for what is closed, when gated."""

    name = fingerprint = "counting"

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        self.read.extend(documents)
        words = query.casefold().split()
        found = np.array([sum(word in text.casefold() for word in words) for text in documents], np.float32)
        return Scores(
            found - 3 * timings[:, CLOSED] * gated, np.array([len(text) > 200 for text in documents])
        )


class Silent(Counting):
    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        said = super().score(query, documents, timings, gated)
        return replace(said, logits=np.full_like(said.logits, np.nan))


class Broken(Counting):
    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        raise RuntimeError("gone")


def blend(first: float = 0.1, logit: float = 1.0, highest: float = 9.0) -> Blend:
    return Blend(first, logit, (0.0,) * len(FIT_FEATURES), highest_logit=highest, usual_logit=-3.0)


@pytest.fixture(scope="module")
def snapshot(twelve: tuple[Document, ...], tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return open_snapshot(build(twelve, tmp_path_factory.mktemp("home"), HashingEncoder()).folder)


@pytest.fixture
def ask(snapshot: Snapshot, frozen_now: datetime):
    def asked(text: str, judge: Judge | None, rerank: Reranking = ALL, **plan: object) -> Ranking:
        chosen: Plan = replace(system("hybrid"), rerank=rerank, **plan)
        return search(Query("q", text, frozen_now), chosen, snapshot, HashingEncoder(), lambda: 0.0, judge)

    return asked


def states(ranking: Ranking, snapshot: Snapshot) -> list[str]:
    as_of = ranking.query.as_of
    return [availability(snapshot.corpus[int(row)].windows, as_of).state for row in ranking.ranked.rows]


def test_the_judge_decides_and_the_gate_hears_time(ask, snapshot: Snapshot) -> None:
    gated = ask("scholarship", Judge(Counting(), blend(first=0.0)))
    where = [state == "closed" for state in states(gated, snapshot)]
    assert any(where)
    assert where == sorted(where)  # the closed ones are three lower, and last
    plain = ask("scholarship", Judge(Counting(), blend(first=0.0)), replace(ALL, gate=False))
    assert set(plain.ranked.rows.tolist()) == set(gated.ranked.rows.tolist())
    assert set(plain.reranked.logits.values()) <= {0.0, 1.0}


def test_a_closed_document_may_lose_points_besides(ask, snapshot: Snapshot) -> None:
    judge, plain = Judge(Counting(), blend(first=0.0)), replace(ALL, gate=False)
    soft = ask("scholarship", judge, replace(plain, closed_penalty=0.5))
    hard = ask("scholarship", judge, replace(plain, closed_penalty=5.0))
    closed = [state == "closed" for state in states(hard, snapshot)]
    assert closed == sorted(closed)
    assert any(closed)
    # Half a point moves a closed one behind its equals, not behind a worse text.
    held = soft.reranked.logits
    for better, worse in pairwise(soft.ranked.rows.tolist()):
        assert held[better] >= held[worse]


def test_what_lies_below_the_depth_keeps_its_order_behind(ask) -> None:
    judge = Counting()
    ranking = ask("scholarship", Judge(judge, blend()), replace(ALL, depth=3))
    assert len(judge.read) == 3 == ranking.reranked.pairs
    assert sorted(ranking.ranked.rows[:3]) == sorted(ranking.fused.rows[:3])
    assert ranking.ranked.rows[3:].tolist() == ranking.fused.rows[3:].tolist()
    assert (np.diff(ranking.ranked.scores) <= 0).all()


def test_reading_in_waves_finds_the_same_top_with_fewer_pairs(ask) -> None:
    whole = ask("scholarship", Judge(Counting(), blend(first=50.0, highest=1.0)))
    few = ask(
        "scholarship",
        Judge(Counting(), blend(first=50.0, highest=1.0)),
        Reranking(adaptive=True, wave=2, settled=2),
    )
    assert few.reranked.pairs < whole.reranked.pairs
    assert few.ranked.rows[:2].tolist() == whole.ranked.rows[:2].tolist()


def test_a_logit_that_is_no_number_keeps_the_first_stage_and_is_said(ask) -> None:
    ranking = ask("scholarship", Judge(Silent(), blend()))
    assert ranking.ranked.rows.tolist() == ranking.fused.rows.tolist()
    assert ranking.reranked.failed == len(ranking.fused)
    assert ("rerank", "non-finite") in ranking.trace.degraded


@pytest.mark.parametrize(
    ("judge", "plan", "reason"),
    [
        (Judge(Broken(), blend()), {}, "error"),
        (None, {}, "no-model"),
        (Judge(Counting(), blend()), {"budget_ms": -1.0}, "budget"),
    ],
)
def test_without_a_judge_the_first_stage_answers(judge, plan, reason: str, ask) -> None:
    ranking = ask("scholarship", judge, **plan)
    assert ranking.ranked.rows.tolist() == ranking.fused.rows.tolist()
    assert len(ranking.ranked)
    assert ("rerank", reason) in ranking.trace.degraded


def test_without_a_judge_what_would_lose_points_goes_last(ask, snapshot: Snapshot) -> None:
    ranking = ask("scholarship", None, replace(ALL, closed_penalty=2.0))
    closed = [state == "closed" for state in states(ranking, snapshot)]
    assert any(closed)
    assert closed == sorted(closed)


def test_browsing_is_not_reranked(ask) -> None:
    judge = Counting()
    ranking = ask("", Judge(judge, blend()))
    assert not judge.read
    assert not ranking.trace.degraded


def test_cut_texts_are_named(ask, snapshot: Snapshot) -> None:
    judge = Counting()
    ranking = ask("scholarship", Judge(judge, blend()))
    assert len(ranking.reranked.truncated) == sum(len(text) > 200 for text in judge.read)


def test_a_blend_learned_on_other_features_is_refused() -> None:
    stated = {
        "first": 1,
        "logit": 2,
        "fits": dict.fromkeys(FIT_FEATURES, 0.5),
        "highest_logit": 3,
        "usual_logit": -1,
        "reach": 2,
        "scale": 1,
        "offset": 0,
        "alone_scale": 1,
        "alone_offset": 0,
    }
    assert Blend.of({**stated, "fit_fingerprint": fit_fingerprint()}).fits == (0.5,) * len(FIT_FEATURES)
    with pytest.raises(ValueError, match="learned on fit-old"):
        Blend.of({**stated, "fit_fingerprint": "fit-old"})


def test_a_probability_grows_with_the_score() -> None:
    totals = np.linspace(-5, 5, 11, dtype=np.float32)
    probabilities = blend().probability(totals)
    assert (np.diff(probabilities) > 0).all()
    np.testing.assert_allclose(probabilities[5], 0.5)


def test_a_hit_is_told_what_moved_it(ask, snapshot: Snapshot) -> None:
    weighed = replace(blend(first=0.0, logit=2.0), fits=(0.5,) * len(FIT_FEATURES))
    judge = Judge(Counting(), weighed)
    ranking = ask("doctoral scholarship", judge)
    rows = [int(row) for row in ranking.ranked.rows if int(row) in ranking.reranked.logits]
    asked = Asked("doctoral scholarship", "en", ranking.query.as_of, snapshot)
    moved = contributions(rows, asked, judge, gate=True)
    assert list(moved) == rows
    fits_of = read(np.array(rows), asked).fits
    for at, row in enumerate(rows):
        part = moved[row]
        assert part.text + part.time == pytest.approx(2.0 * ranking.reranked.logits[row])
        is_closed = availability(snapshot.corpus[row].windows, asked.as_of).state == "closed"
        assert part.time == (-6.0 if is_closed else 0.0)
        assert sum(part.fits.values()) == pytest.approx(0.5 * fits_of[at].sum(), abs=0.05 * len(FIT_FEATURES))
    assert contributions(rows, asked, judge, gate=False)[rows[0]].time is None
    assert contributions([], asked, judge, gate=True) == {}
