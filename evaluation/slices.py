"""Figures by tag: the same metrics over the judged queries that carry it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .metrics import QueryScores
from .significance import intervals
from .testset import TestQuery

SLICE_METRICS = ("mrr@5", "ndcg@10")
SMALL = 20
"""A slice of fewer queries says little; its interval says how little."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One tag: means and 95 % intervals of `SLICE_METRICS` over `queries` queries."""

    tag: str
    queries: int
    means: dict[str, float]
    ci95: dict[str, tuple[float, float]]


def slices(scores: QueryScores, queries: Iterable[TestQuery], seed: int) -> tuple[Slice, ...]:
    """One slice per tag of the judged queries, largest first, then by name. A query may be in several."""
    rows = {query_id: row for row, query_id in enumerate(scores.query_ids)}
    tagged: dict[str, list[int]] = {}
    for query in queries:
        if query.query_id in rows:
            for tag in query.tags:
                tagged.setdefault(tag, []).append(rows[query.query_id])
    ordered = sorted(tagged, key=lambda tag: (-len(tagged[tag]), tag))
    return tuple(_slice(tag, scores, tagged[tag], seed) for tag in ordered)


def _slice(tag: str, scores: QueryScores, rows: list[int], seed: int) -> Slice:
    values = np.stack([scores.values[metric][rows] for metric in SLICE_METRICS])
    ranges = intervals(values, np.random.default_rng(seed))
    return Slice(
        tag,
        len(rows),
        {metric: float(mean) for metric, mean in zip(SLICE_METRICS, values.mean(axis=1), strict=True)},
        {
            metric: (float(low), float(high))
            for metric, (low, high) in zip(SLICE_METRICS, ranges, strict=True)
        },
    )
