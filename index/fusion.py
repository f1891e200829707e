"""Combining ranked lists whose scores are on different scales. Pure functions.

RRF (Cormack, Clarke and Büttcher, SIGIR 2009): score(d) = Σ_leg weight / (k + rank_leg(d)), ranks 1-based.
Weighted score fusion: score(d) = Σ_leg weight · normalised(score_leg(d)), where a document a leg does not hold adds 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from index.types import EMPTY, Mask, RankedList, Rows, Vector, ordered

Scores = NDArray[np.float64]
Normaliser = Literal["max", "min-max", "z-score"]


@dataclass(frozen=True, slots=True)
class Fusion:
    """How legs are combined. `weights` by leg name; a leg without a weight counts 1.

    floors, by leg name: what a document scores that the leg does not hold, where that is known (0 for BM25). It belongs
    to the scale of a leg that was not cut, so that a lone hit is more than nothing.
    """

    method: Literal["rrf", "weighted"] = "rrf"
    rrf_k: float = 60.0
    weights: Mapping[str, float] = field(default_factory=dict)
    normaliser: Normaliser = "max"
    floors: Mapping[str, float] = field(default_factory=dict)


def fuse(
    legs: Mapping[str, RankedList], fusion: Fusion, depth: int | None = None, full: int | None = None
) -> RankedList:
    """The union of the legs' candidates in fused order, cut to `depth`.

    full: the length at which a leg was cut; a leg that long may lack documents that score above its floor.
    """
    if not any(len(leg) for leg in legs.values()):
        return EMPTY
    rows: Rows = np.unique(np.concatenate([leg.rows for leg in legs.values()]))
    total = np.zeros(len(rows), np.float64)
    for name, leg in legs.items():
        if len(leg) and (weight := fusion.weights.get(name, 1.0)):
            if fusion.method == "rrf":
                part = 1.0 / (fusion.rrf_k + np.arange(1, len(leg) + 1))
            else:
                cut = full is not None and len(leg) >= full
                part = _normalised(leg.scores, fusion, None if cut else fusion.floors.get(name))
            total[np.searchsorted(rows, leg.rows)] += weight * part
    return ordered(rows, total.astype(np.float32), depth)


def _normalised(scores: Vector, fusion: Fusion, floor: float | None) -> Scores:
    """(n,) the scores on the common scale; `floor` counts as one more, unseen document."""
    known = scores.astype(np.float64)
    return _NORMALISERS[fusion.normaliser](known if floor is None else np.append(known, floor))[: len(known)]


def _by_max(scores: Scores) -> Scores:
    """Scores over the largest; keeps ratios, so a lone hit is 1 and a weak tail stays weak. Non-positive: 0."""
    top = scores.max()
    return np.clip(scores / top, 0.0, 1.0) if top > 0 else np.zeros_like(scores)


def _by_range(scores: Scores) -> Scores:
    """Scores on [0, 1] between the worst and the best; equal scores say nothing and contribute 0."""
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def _by_deviation(scores: Scores) -> Scores:
    """Standard deviations above the worst; equal scores contribute 0."""
    spread = scores.std()
    return (scores - scores.min()) / spread if spread > 0 else np.zeros_like(scores)


_NORMALISERS: Mapping[Normaliser, Callable[[Scores], Scores]] = {
    "max": _by_max,
    "min-max": _by_range,
    "z-score": _by_deviation,
}


def demote(ranked: RankedList, last: Mask) -> RankedList:
    """`ranked` with the candidates flagged in `last` (n,) moved behind the others, order kept otherwise.

    The first group keeps its scores. The others score whole steps below it, by place, so that sorting by score gives
    exactly this order; such a score says nothing else.
    """
    if not last.any() or last.all():
        return ranked
    first, others = ~last, int(last.sum())
    below = np.floor(ranked.scores[first].min()) - np.arange(1, others + 1, dtype=np.float32)
    return RankedList(
        np.concatenate([ranked.rows[first], ranked.rows[last]]),
        np.concatenate([ranked.scores[first], below.astype(np.float32)]),
    )
