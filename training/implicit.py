"""Grades and weights read off what searchers did: a click, a click that was read, an application.

    3  applied for, or saved
    2  clicked and read for at least `READ_MS`
    1  clicked
    0  shown and left

A click says nothing of hits that were not looked at. So a grade at rank k stands for 1 / examination(k) grades, as
many as there would have been had everybody looked there; above `MOST_WEIGHT` the weight is cut, which trades some of
the bias back for less noise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

READ_MS = 30_000.0
MOST_WEIGHT = 10.0

Values = NDArray[np.float64]


def click_grades(clicked: NDArray[np.bool_], dwell_ms: Values, applied: NDArray[np.bool_]) -> Values:
    """The grade of each hit, in the shape given; dwell_ms is NaN where it is not known."""
    read = clicked & (np.nan_to_num(dwell_ms) >= READ_MS)
    return np.where(applied, 3.0, np.where(read, 2.0, np.where(clicked, 1.0, 0.0)))


def click_weights(ranks: NDArray[np.int64], examination: Values, most: float = MOST_WEIGHT) -> Values:
    """For how many grades one at each of `ranks` (from 1) stands; ranks beyond the estimate count as its last."""
    looked = examination[np.minimum(ranks, len(examination)) - 1]
    return np.asarray(np.minimum(1.0 / np.maximum(looked, 1e-9), most))
