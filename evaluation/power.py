"""How many queries it takes to see a difference: the question before the next set is judged."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

EFFECT = 0.01
"""The difference of a mean that is asked about unless another is."""
ALPHA, POWER = 0.05, 0.8


def queries_needed(
    differences: NDArray[np.float64], effect: float = EFFECT, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """So many queries like these show a true mean difference of `effect` in `power` of all test sets.

    differences: (n,) per query, one system minus the other. n = ((z₁₋α/₂ + z_power) · s / effect)², s the standard
    deviation of the differences (paired z test; Sakai, Information Retrieval Journal 19, 2016). None where the
    systems never differ or fewer than two queries were compared: nothing is known of s then.
    """
    if len(differences) < 2 or not (spread := float(differences.std(ddof=1))):
        return None
    reach = float(norm.ppf(1 - alpha / 2) + norm.ppf(power))
    return max(2, math.ceil((reach * spread / effect) ** 2))


def smallest_effect(
    differences: NDArray[np.float64], alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The least true difference that so many queries like these show in `power` of all test sets."""
    if len(differences) < 2 or not (spread := float(differences.std(ddof=1))):
        return None
    return float((norm.ppf(1 - alpha / 2) + norm.ppf(power)) * spread / math.sqrt(len(differences)))
