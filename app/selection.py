"""How much the reranker's logit, the fit and the closing are to count, chosen on a judged set.

The network reads every candidate once; then each choice of weights is only arithmetic. What a network was trained on
may make its first stage look worse than it is on real queries, so the weights learned beside it are a beginning: their
proportions stay, how much they count is chosen here.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from evaluation.calibration import calibrate
from evaluation.metrics import judge
from evaluation.testset import Qrels, TestQuery
from index.build import Progress
from index.timing import TIMING_FEATURES
from index.types import RankedList, Vector, ordered

from .blend import Blend
from .pipeline import passages
from .plan import Reranking
from .ranker import Ranker
from .reranking import Asked, Judge, Reading, read
from .waves import waves

DEPTH = 50
FIRST = 4.0
"""Points of the best candidate of the first stage; the other weights are told on this scale."""
_LOGITS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
_FITS = (0.0, 0.1, 0.2, 0.3, 0.5)
_CLOSED = (0.0, 1.0, 2.0, 4.0)
_REACHES = (0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_LOSS = 0.003
_RELEVANT_GRADE = 2
_IS_CLOSED = TIMING_FEATURES.index("is_closed")


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of weights and what it gives. fit: share of the learned fit weights; closed: points lost."""

    logit: float
    fit: float
    closed: float
    mrr5: float
    ndcg10: float


@dataclass(frozen=True, slots=True)
class Depth:
    """What stopping early gives at one reach. share: of all pairs, those that are read."""

    reach: float
    share: float
    mrr5: float
    ndcg10: float


@dataclass(frozen=True, slots=True)
class _Judged:
    """One query's candidates, read."""

    query: TestQuery
    fused: RankedList
    reading: Reading
    logits: Vector


def bench_blend(
    ranker: Ranker, judge_: Judge, queries: Sequence[TestQuery], qrels: Qrels, progress: Progress
) -> tuple[list[Choice], list[Depth], Blend]:
    """Every choice, best first by the sum of both figures; what stopping early gives under the best; and its blend.

    The blend is calibrated on the judged queries, and its reach is the least that loses hardly anything on them.
    """
    held = []
    for done, query in enumerate(queries, start=1):
        held.append(_judged(ranker, judge_, query))
        progress("read", done, len(queries))
    choices = []
    for logit, fit, closed in itertools.product(_LOGITS, _FITS, _CLOSED):
        blend = _weighed(judge_.blend, logit, fit)
        run = {one.query.query_id: _hits(one, blend, closed, ranker) for one in held}
        found = judge(qrels, run, _RELEVANT_GRADE)
        choices.append(Choice(logit, fit, closed, found.mean("mrr@5"), found.mean("ndcg@10")))
    choices.sort(key=lambda choice: -(choice.mrr5 + choice.ndcg10))
    best = choices[0]
    blend = _calibrated(_weighed(judge_.blend, best.logit, best.fit), best.closed, held, qrels, ranker)
    depths = [_adaptive(replace(blend, reach=reach), best.closed, held, qrels, ranker) for reach in _REACHES]
    return choices, depths, replace(blend, reach=_chosen(depths, best))


def record(blend: Blend, fit_names: Sequence[str], fingerprint: str) -> Mapping[str, Any]:
    """The blend as a checkpoint's manifest keeps it."""
    return {
        **asdict(blend),
        "fits": dict(zip(fit_names, blend.fits, strict=True)),
        "fit_fingerprint": fingerprint,
    }


def _judged(ranker: Ranker, judge_: Judge, query: TestQuery) -> _Judged:
    ranking = ranker.ranking("hybrid", query, DEPTH)
    head = ranking.fused.cut(DEPTH)
    understood = ranking.understood
    asked = Asked(
        understood.normalised, understood.lang, ranking.query.as_of, ranker.snapshot, passages(ranking.found)
    )
    reading = read(head.rows, asked)
    logits = judge_.reranker.score(asked.text, reading.texts, reading.timings, gated=Reranking().gate).logits
    return _Judged(query, head, reading, np.asarray(logits, np.float32))


def _weighed(blend: Blend, logit: float, fit: float) -> Blend:
    return replace(blend, first=FIRST, logit=logit, fits=tuple(fit * weight for weight in blend.fits))


def _totals(one: _Judged, blend: Blend, closed: float) -> Vector:
    prior = blend.prior(one.fused.scores, one.reading.fits)
    return blend.total(prior - np.float32(closed) * one.reading.timings[:, _IS_CLOSED], one.logits)


def _hits(one: _Judged, blend: Blend, closed: float, ranker: Ranker) -> list[tuple[str, float]]:
    return _named(ordered(one.fused.rows, _totals(one, blend, closed)), ranker)


def _named(ranked: RankedList, ranker: Ranker) -> list[tuple[str, float]]:
    ids = ranker.snapshot.corpus.ids
    return [
        (ids[row], score) for row, score in zip(ranked.rows.tolist(), ranked.scores.tolist(), strict=True)
    ]


def _adaptive(blend: Blend, closed: float, held: Sequence[_Judged], qrels: Qrels, ranker: Ranker) -> Depth:
    """What reading in waves gives, and how much of every list it reads."""
    run, pairs, plan = {}, 0, Reranking()
    for one in held:
        prior = blend.prior(one.fused.scores, one.reading.fits)
        prior -= np.float32(closed) * one.reading.timings[:, _IS_CLOSED]
        logits = np.full(len(prior), np.nan, np.float32)
        for wave, found in waves(prior, blend, plan.wave, plan.settled, one.logits.__getitem__):
            logits[wave] = found
            pairs += len(wave)
        run[one.query.query_id] = _named(ordered(one.fused.rows, blend.total(prior, logits)), ranker)
    judged = judge(qrels, run, _RELEVANT_GRADE)
    share = pairs / max(sum(len(one.logits) for one in held), 1)
    return Depth(blend.reach, share, judged.mean("mrr@5"), judged.mean("ndcg@10"))


def _chosen(depths: Sequence[Depth], best: Choice) -> float:
    """The least reach that loses no more than a little of either figure against reading everything."""
    for depth in depths:
        if best.mrr5 - depth.mrr5 <= _LOSS and best.ndcg10 - depth.ndcg10 <= _LOSS:
            return depth.reach
    return depths[-1].reach


def _calibrated(blend: Blend, closed: float, held: Sequence[_Judged], qrels: Qrels, ranker: Ranker) -> Blend:
    """The blend whose totals, and logits alone, are read as the chance of a grade of 2 or 3."""
    ids = ranker.snapshot.corpus.ids
    useful = np.concatenate(
        [
            [qrels[one.query.query_id].get(ids[row], 0) >= _RELEVANT_GRADE for row in one.fused.rows.tolist()]
            for one in held
        ]
    ).astype(np.float64)
    logits = np.concatenate([one.logits for one in held]).astype(np.float64)
    totals = calibrate(
        np.concatenate([_totals(one, blend, closed) for one in held]).astype(np.float64), useful
    )
    alone = calibrate(logits, useful)
    return replace(
        blend,
        scale=totals.scale,
        offset=totals.offset,
        alone_scale=alone.scale,
        alone_offset=alone.offset,
        highest_logit=float(np.quantile(logits, 0.995)),
        usual_logit=float(np.quantile(logits, 0.35)),
    )
