"""How many units an experiment needs, and for how many days it must run, before it starts.

For one look at the end with error alpha and power 1 - beta, n units in all, shares w of control and treatment:

    n = (z(alpha / 2) + z(beta))² · s² · (1 / w_control + 1 / w_treatment) / effect²

where s² is the variance of what one unit moves the mean by, times the number of units. Sequential decisions need more
units at worst, and fewer when the effect is larger than foreseen. Lachin, Controlled Clinical Trials 2 (1981).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from .ratio import Sums, mean
from .searches import DAY_S, Searches, Values
from .sequential import margin

POWER = 0.8
_MOST_DAYS = 730


@dataclass(frozen=True, slots=True)
class Variation:
    """What a metric varies by: mean per search, s (see above) per unit, and how many units have been seen by when.

    arrivals: (D,) distinct units seen within 1, 2, … D days; units_per_day: new ones a day after that.
    """

    value: float
    spread: float
    arrivals: tuple[float, ...]
    units_per_day: float

    def thinned(self, coverage: float) -> Variation:
        """The same when only that share of the units takes part, in (0, 1]."""
        arrivals = tuple(seen * coverage for seen in self.arrivals)
        return replace(self, arrivals=arrivals, units_per_day=self.units_per_day * coverage)

    def days(self, units: float) -> int | None:
        """Days until that many distinct units have been seen; None = not within two years."""
        for day, seen in enumerate(self.arrivals, start=1):
            if seen >= units:
                return day
        begun = len(self.arrivals)
        missing = units - (self.arrivals[-1] if self.arrivals else 0.0)
        if self.units_per_day <= 0:
            return None
        needed = begun + int(np.ceil(missing / self.units_per_day))
        return needed if needed <= _MOST_DAYS else None


@dataclass(frozen=True, slots=True)
class Plan:
    """units: in all arms together. sequential_units: with which the always-valid interval is that narrow."""

    effect: float
    alpha: float
    power: float
    units: int
    days: int | None
    sequential_units: int
    sequential_days: int | None


def plan(
    variation: Variation,
    effect: float,
    shares: tuple[float, float],
    alpha: float = 0.05,
    power: float = POWER,
) -> Plan:
    """Units and days to see `effect`, shares: control's and treatment's of the units that take part."""
    weight = 1 / shares[0] + 1 / shares[1]
    units = needed_units(variation.spread, effect, weight, alpha, power)
    z = float(norm.ppf(power))

    def short(n: float) -> float:
        """How far a difference of `effect` must still move, for a share `power` of experiments to have decided."""
        variance = np.asarray(variation.spread**2 * weight / n, np.float64)
        return float(margin(variance, effect, alpha) + z * np.sqrt(variance)) - effect

    sequential = units if variation.spread == 0 else int(np.ceil(brentq(short, 1e-3 * units, 1e3 * units)))
    return Plan(effect, alpha, power, units, variation.days(units), sequential, variation.days(sequential))


def needed_units(spread: float, effect: float, weight: float, alpha: float, power: float) -> int:
    """N of the formula above; weight: 1 / w_control + 1 / w_treatment."""
    z = norm.isf(alpha / 2) + norm.ppf(power)
    return max(2, int(np.ceil(z**2 * spread**2 * weight / effect**2)))


def power_at(units: float, spread: float, effect: float, weight: float, alpha: float = 0.05) -> float:
    """The chance that one look at `units` units finds `effect` (two-sided)."""
    if spread == 0:
        return 1.0 if effect else alpha
    drift = abs(effect) / (spread * np.sqrt(weight / units))
    z = norm.isf(alpha / 2)
    return float(norm.sf(z - drift) + norm.cdf(-z - drift))


def assumed(value: float, deviation: float, searches: float, alike: float, units_per_day: float) -> Variation:
    """The variation of a metric nobody has measured yet.

    deviation: of single searches. searches: of a unit over the experiment, on average; alike: correlation of two
    searches of one unit, in [0, 1]. Units with equally many searches are assumed: uneven ones vary more.
    """
    spread = deviation * np.sqrt((1 + (searches - 1) * alike) / searches)
    return Variation(value, float(spread), (), units_per_day)


def measured(searches: Searches, metric: str) -> Variation | None:
    """The variation of `metric` in a log, all arms as one; None where fewer than two units have it."""
    values = searches.metrics.get(metric)
    if values is None or not len(searches):
        return None
    known = ~np.isnan(values)
    part = searches.where(known)
    if part.unit_count < 2:
        return None
    counts = np.bincount(part.units).astype(np.float64)
    found = mean(Sums(np.asarray(np.bincount(part.units, part.metrics[metric]), np.float64), counts))
    arrivals = _arrivals(part)
    tail = arrivals[-min(len(arrivals), 7) :]
    daily = (tail[-1] - tail[0]) / (len(tail) - 1) if len(tail) > 1 else tail[0]
    return Variation(
        float(found.value),
        float(np.sqrt(found.variance * found.units)),
        tuple(float(seen) for seen in arrivals),
        float(daily),
    )


def _arrivals(searches: Searches) -> Values:
    """(D,) distinct units seen by the end of each day."""
    first = np.full(searches.unit_count, np.inf)
    np.minimum.at(first, searches.units, searches.at_s)
    day = ((first - searches.at_s.min()) // DAY_S).astype(np.int64)
    days = int((searches.at_s.max() - searches.at_s.min()) // DAY_S) + 1
    return np.asarray(np.cumsum(np.bincount(day, minlength=days)), np.float64)
