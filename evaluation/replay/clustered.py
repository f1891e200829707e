"""Resampling whole units: one person's searches are drawn together or not at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .decisions import Codes, Values

_BLOCK = 4_000_000
"""Counts held at once; bounds memory to some tens of megabytes."""


def sums_by(units: Codes, places: Codes, values: Values) -> Values:
    """(U, S) sums of the (n,) `values` by unit and place; codes are 0-based and dense."""
    found = np.zeros((int(units.max()) + 1, int(places.max()) + 1))
    np.add.at(found, (units, places), values)
    return found


def draws(units: int, resamples: int, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
    """Blocks (b, U) of how often each of `units` units is drawn, with replacement, `resamples` rows in all."""
    block = max(1, _BLOCK // units)
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        counts = np.empty((rows, units))
        for row in range(rows):
            counts[row] = np.bincount(rng.integers(0, units, units), minlength=units)
        yield counts


def dense(codes: Codes) -> Codes:
    """The codes renumbered from 0 without gaps, order kept."""
    _, renumbered = np.unique(codes, return_inverse=True)
    return renumbered.astype(np.int64)
