"""Reading candidates in waves, the most promising first, until the top can no longer change.

What was not read could at best reach its prior plus the highest logit that the query's own logits so far let expect;
once `settled` read candidates stand above all of that, reading on would change nothing among them. How far above its
neighbours a logit can come is learned (`app.selection`), so the bound holds nearly always, not always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from index.types import Rows, Vector

from .blend import Blend


def promising(prior: Vector) -> Rows:
    """Positions by prior descending, then position."""
    positions: Rows = np.lexsort((np.arange(len(prior)), -prior))
    return positions


def waves(
    prior: Vector, blend: Blend, size: int, settled: int, read: Callable[[Rows], Vector]
) -> Iterator[tuple[Rows, Vector]]:
    """The waves that were read, each as positions and their logits; ends when the top `settled` are certain.

    read: positions (m,) → logits (m,). With `settled` at or above the number of candidates all are read.
    """
    order = promising(prior)
    best = known = np.empty(0, np.float32)
    for start in range(0, len(order), size):
        if len(best) >= settled and _certain(best, prior[order[start:]], blend, known):
            return
        wave = order[start : start + size]
        logits = read(wave)
        known = np.concatenate([known, logits])
        best = np.sort(np.concatenate([best, blend.total(prior[wave], logits)]))[-settled:]
        yield wave, logits


def _certain(best: Vector, rest: Vector, blend: Blend, known: Vector) -> bool:
    """Whether no candidate of `rest` (priors, descending) can enter the best totals (ascending); known: logits read."""
    return bool(best[0] >= rest[0] + blend.logit * blend.most(known))
