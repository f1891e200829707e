"""How earlier searchers took each document, beyond what the ranks it was shown at explain.

    attraction = ln((taken + strength) / (expected + strength))

taken: how often it was shown and satisfied (a click that was read, an application, no search refined after it).
expected: how often an average document would have been, looked at as often as the ranks of this one are (clicks over
expected clicks; Zhang and Jones, WWW 2007). The strength pulls what was hardly shown to 0, which changes nothing.

A ranking heeds it by `weight`: a score grows or shrinks by at most that share of itself, so that how scores are scaled,
and how far a certain hit stands out, makes no difference.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .decisions import Codes, Values

STRENGTH = 5.0
"""Expected satisfactions at which what was seen counts as much as what was assumed."""


def attractions(
    documents: Codes,
    ranks: Codes,
    taken: NDArray[np.bool_],
    examination: Values,
    count: int,
    strength: float = STRENGTH,
) -> Values:
    """(count,) the attraction of each document code; 0 for one that was never shown.

    documents, ranks (from 1), taken: (n,) of every hit shown. examination: (R,) the chance that each rank is looked at;
    lower ranks count as the last.
    """
    looked = examination[np.minimum(ranks, len(examination)) - 1]
    average = float(taken.sum()) / max(float(looked.sum()), 1e-12)
    expected = np.bincount(documents, looked * average, minlength=count)
    found = np.bincount(documents, taken, minlength=count)
    return np.asarray(np.log((found + strength) / (expected + strength)))


def heeded(scores: Values, attraction: Values, weight: float) -> Values:
    """(n,) the scores with the attraction (n,) of their documents heeded; ±1 and beyond count in full."""
    return np.asarray(scores + np.abs(scores) * weight * np.clip(attraction, -1.0, 1.0))
