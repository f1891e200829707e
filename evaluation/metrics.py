"""Judged metrics per query, computed by ir-measures (trec_eval's own code for all but two of them).

    mrr@5       1 / rank of the first relevant document, 0 when there is none in the first five
    ndcg@10     gain = grade (linear, trec_eval's), discount log2(rank + 1), against the best possible order
    ndcg_exp@10 the same with gain = 2^grade - 1, as many papers have it; equal to ndcg@10 on binary grades
    recall@100  share of the relevant documents that are in the first hundred
    hit@1       1 when the first document is relevant
    map@K       mean over the relevant documents (all of them, not K) of precision at their ranks up to K
    judged@10   share of the first ten documents returned that have any grade; below about 0.9 the other
                figures are a lower bound, because unjudged counts as not relevant

A document is relevant when its grade reaches `relevant_grade`. A query of the qrels that a run lacks
counts 0 everywhere. Ties are broken by document id ascending, unlike trec_eval, which would take them
descending: so it is given ranks in place of scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ir_measures
import numpy as np
from numpy.typing import NDArray

from .errors import RunError
from .run import Run, ordered
from .testset import HIGHEST_GRADE, Qrels

METRICS = (
    "mrr@5",
    "ndcg@10",
    "ndcg_exp@10",
    "recall@100",
    "hit@1",
    "map@10",
    "map@50",
    "map@100",
    "judged@10",
)
EXPONENTIAL_GAINS = {grade: 2**grade - 1 for grade in range(HIGHEST_GRADE + 1)}
DEPTH = 100
"""How deep a run must be for every metric to see all it looks at."""


@dataclass(frozen=True, slots=True)
class QueryScores:
    """Every metric of every judged query. values: metric -> (n,) float64, in the order of `query_ids`."""

    query_ids: tuple[str, ...]
    values: Mapping[str, NDArray[np.float64]]

    def mean(self, metric: str) -> float:
        """The metric over all queries."""
        return float(self.values[metric].mean())


def relevant_grade(qrels: Qrels, asked: int | None = None) -> int:
    """The least grade that counts as relevant: `asked`, else 2, or 1 where no grade reaches 2 (binary)."""
    if asked is not None:
        return asked
    return 2 if any(grade >= 2 for grades in qrels.values() for grade in grades.values()) else 1


def judge(qrels: Qrels, run: Run, grade: int) -> QueryScores:
    """The metrics of each query of `qrels`, with documents of at least `grade` (1 or more) as relevant."""
    if grade < 1:
        raise RunError(f"the relevant grade must be at least 1, got {grade}")
    ranked = _as_ranks(qrels, run)
    rows = {query_id: row for row, query_id in enumerate(qrels)}
    values = {metric: np.zeros(len(rows)) for metric in METRICS}
    names = {measure: name for name, (_, measure) in _measures(grade).items()}
    plain = {query_id: dict(grades) for query_id, grades in qrels.items()}
    for provider in (ir_measures.pytrec_eval, ir_measures.msmarco, ir_measures.judged):
        measures = [measure for owner, measure in _measures(grade).values() if owner is provider]
        for found in provider.iter_calc(measures, plain, ranked):
            values[names[found.measure]][rows[found.query_id]] = found.value
    return QueryScores(tuple(rows), values)


def first_relevant_ranks(qrels: Qrels, run: Run, grade: int) -> dict[str, int | None]:
    """The rank, from 1, of each query's first relevant document; None when none was returned."""
    return {
        query_id: next(
            (
                rank
                for rank, (doc_id, _) in enumerate(ordered(query_id, run.get(query_id, ())), start=1)
                if grades.get(doc_id, 0) >= grade
            ),
            None,
        )
        for query_id, grades in qrels.items()
    }


def _as_ranks(qrels: Qrels, run: Run) -> dict[str, dict[str, float]]:
    """The judged queries that got hits, scores replaced by strictly falling whole numbers."""
    return {
        query_id: {doc_id: float(-rank) for rank, (doc_id, _) in enumerate(ordered(query_id, run[query_id]))}
        for query_id in qrels
        if run.get(query_id)
    }


def _measures(grade: int) -> dict[str, tuple[ir_measures.Provider, ir_measures.Measure]]:
    """Each metric as ir-measures names it, with the provider that is to compute it."""
    trec, marco, judged = ir_measures.pytrec_eval, ir_measures.msmarco, ir_measures.judged
    return {
        "mrr@5": (marco, ir_measures.RR(rel=grade) @ 5),
        "ndcg@10": (trec, ir_measures.nDCG @ 10),
        "ndcg_exp@10": (trec, ir_measures.nDCG(gains=EXPONENTIAL_GAINS) @ 10),
        "recall@100": (trec, ir_measures.R(rel=grade) @ 100),
        "hit@1": (trec, ir_measures.Success(rel=grade) @ 1),
        "map@10": (trec, ir_measures.AP(rel=grade) @ 10),
        "map@50": (trec, ir_measures.AP(rel=grade) @ 50),
        "map@100": (trec, ir_measures.AP(rel=grade) @ 100),
        "judged@10": (judged, ir_measures.Judged @ 10),
    }
