"""Scores read as chances: a logistic fitted to judged documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Values = NDArray[np.float64]

_RIDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Calibration:
    """P(useful) = σ(scale · score + offset); scale is above 0, so the order stays."""

    scale: float
    offset: float


def calibrate(scores: Values, useful: Values) -> Calibration:
    """The logistic of the least log loss (Platt, 1999); scores (n,), useful (n,) 0 or 1."""

    def cost(at: Values) -> tuple[float, Values]:
        z = at[0] * scores + at[1]
        residual = 0.5 + 0.5 * np.tanh(0.5 * z) - useful
        value = float(np.mean(np.logaddexp(0.0, z) - useful * z)) + _RIDGE * float(at @ at)
        return value, np.array([np.mean(residual * scores), np.mean(residual)]) + 2.0 * _RIDGE * at

    scale, offset = minimize(cost, np.array([1.0, 0.0]), jac=True, bounds=[(1e-6, None), (None, None)]).x
    return Calibration(float(scale), float(offset))
