"""Reading candidates in waves, the most promising first, until the top can no longer change.

What was not read could at best reach its prior plus the highest logit; once `settled` read candidates stand above
all of that, reading on would change nothing among them. The bound is learned, so it holds nearly always, not always.
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
    best = np.empty(0, np.float32)
    for start in range(0, len(order), size):
        if _certain(best, prior[order[start:]], blend, settled):
            return
        wave = order[start : start + size]
        logits = read(wave)
        best = np.sort(np.concatenate([best, blend.total(prior[wave], logits)]))[-settled:]
        yield wave, logits


def _certain(best: Vector, rest: Vector, blend: Blend, settled: int) -> bool:
    """Whether no candidate of `rest` (priors, descending) can enter the `settled` best totals (ascending)."""
    return len(best) >= settled and bool(best[0] >= rest[0] + blend.logit * blend.highest_logit)
