"""Quantiles per search, and differences of them, with intervals that count units.

The interval of one quantile inverts that of the share of searches below it, whose variance is clustered by unit, so no
density is estimated (Woodruff, JASA 47, 1952; Deng, Knoblich and Lu, KDD 2018, on why the clusters matter). Two such
intervals make that of a difference by the method of variance estimates recovery (Zou and Donner, Statistics in Medicine
27, 2008). The always-valid one is the difference of two always-valid ones at half the error each: wider, but certain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from .ratio import Sums, mean
from .searches import Codes, Values
from .sequential import margin

MIXING = 0.01
"""Effect of interest on the scale of shares: where the always-valid interval is narrow."""


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile with its interval; an end that the searches do not reach is infinite."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class _Ordered:
    """Values in order, and the clustered variance of the share of them up to the quantile."""

    values: Values
    share: float
    variance: float

    def at(self, share: float) -> float:
        """The least value that `share` of the searches do not exceed."""
        if share <= 0:
            return -np.inf
        place = int(np.ceil(round(len(self.values) * share, 9))) - 1
        return float(self.values[place]) if place < len(self.values) else np.inf

    def within(self, half: float) -> Quantile:
        low, high = self.at(self.share - half), self.at(self.share + half)
        return Quantile(self.at(self.share), low, high if self.share + half < 1 else np.inf)


def _ordered(values: Values, units: Codes, share: float) -> _Ordered:
    known = ~np.isnan(values)
    values, units = values[known], units[known]
    in_order = np.sort(values)
    found = _Ordered(in_order, share, np.nan)
    if not len(values):
        return found
    _, codes = np.unique(units, return_inverse=True)
    below = (values <= found.at(share)).astype(np.float64)
    total = np.asarray(np.bincount(codes, below), np.float64)
    sums = Sums(total, np.bincount(codes).astype(np.float64))
    # Ties may put more than `share` below; the variance is that of the share itself, a little over it.
    return _Ordered(in_order, share, float(mean(sums).variance))


def quantile(values: Values, units: Codes, share: float, alpha: float = 0.05) -> Quantile | None:
    """The quantile at `share` in (0, 1) of (n,) values with its 1 - alpha interval; None without a value."""
    ordered = _ordered(values, units, share)
    if not len(ordered.values):
        return None
    return ordered.within(_normal(ordered.variance, alpha))


def quantile_difference(
    control: tuple[Values, Codes], treatment: tuple[Values, Codes], share: float, alpha: float = 0.05
) -> Quantile | None:
    """Treatment's quantile minus control's with its interval for one look; None where an arm has no value."""
    sides = _ordered(*control, share), _ordered(*treatment, share)
    if not all(len(side.values) for side in sides):
        return None
    first, second = (side.within(_normal(side.variance, alpha)) for side in sides)
    delta = second.value - first.value
    low = delta - float(np.hypot(second.value - second.low, first.high - first.value))
    high = delta + float(np.hypot(second.high - second.value, first.value - first.low))
    return Quantile(delta, low, high)


def always_difference(
    control: tuple[Values, Codes], treatment: tuple[Values, Codes], share: float, alpha: float = 0.05
) -> Quantile | None:
    """As `quantile_difference`, but its interval holds at all looks together.

    Howard and Ramdas, "Sequential estimation of quantiles with applications to A/B testing" (Bernoulli 28, 2022).
    """
    sides = _ordered(*control, share), _ordered(*treatment, share)
    if not all(len(side.values) for side in sides):
        return None
    halves = [float(margin(np.asarray(side.variance), MIXING, alpha / 2)) for side in sides]
    first, second = (side.within(half) for side, half in zip(sides, halves, strict=True))
    return Quantile(second.value - first.value, second.low - first.high, second.high - first.low)


def _normal(variance: float, alpha: float) -> float:
    return float(norm.isf(alpha / 2) * np.sqrt(variance)) if np.isfinite(variance) else np.inf
