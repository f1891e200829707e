"""Means per search with the variance that units, not searches, give them: the delta method for ratios.

A mean over searches is Σ total / Σ count over units. With e = total - mean · count, its variance is about
n / (n - 1) · Σ e² / (Σ count)² over the n units that count. Deng, Knoblich and Lu, "Applying the Delta Method in Metric
Analytics" (KDD 2018); it is the cluster-robust variance of a regression on the arm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .searches import Codes, Mask, Values

_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True)
class Sums:
    """Of each unit, the sum of a metric and the number of searches that have it. (..., U); leading axes are looks."""

    total: Values
    count: Values

    def of(self, kept: Mask) -> Sums:
        """The sums of the (U,) units kept."""
        return Sums(self.total[..., kept], self.count[..., kept])


@dataclass(frozen=True, slots=True)
class Mean:
    """Means of looks (...,): value, variance of that value, number of units and of searches. NaN = not known."""

    value: Values
    variance: Values
    units: Values
    searches: Values


def sums_by_unit(units: Codes, values: Values, unit_count: int) -> Sums:
    """The sums of (n,) values; a NaN among them is no search of this metric."""
    known = ~np.isnan(values)
    codes = units[known]
    total = np.asarray(np.bincount(codes, values[known], minlength=unit_count), np.float64)
    return Sums(total, np.bincount(codes, minlength=unit_count).astype(np.float64))


def residuals(sums: Sums) -> Values:
    """(..., U) what each unit moves the mean by: (total - mean · count) / Σ count. NaN without a search."""
    searches = sums.count.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.total.sum(axis=-1, keepdims=True) / searches
        return np.asarray((sums.total - mean * sums.count) / searches)


def mean(sums: Sums) -> Mean:
    """The mean per search. One unit alone has no known variance."""
    searches = sums.count.sum(axis=-1)
    units = (sums.count > 0).sum(axis=-1).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = sums.total.sum(axis=-1) / searches
        variance = units / (units - 1) * (residuals(sums) ** 2).sum(axis=-1)
        # What is left of a metric that never varies is rounding.
        variance = np.where(variance <= (_ROUNDING * value) ** 2, 0.0, variance)
    return Mean(value, np.where(units > 1, variance, np.nan), units, searches)
