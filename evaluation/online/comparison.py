"""One arm against control in one metric: the difference with both its intervals, at the end and look by look."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from .cuped import adjusted, difference
from .design import Design, Metric
from .ratio import Sums
from .searches import DAY_S, Codes, Mask, Searches, Values
from .sequential import LEAST_UNITS, always_p, margin

_MOST_LOOKS = 60
_MOST_CELLS = 4_000_000
"""Looks times units: what is held at once."""


@dataclass(frozen=True, slots=True)
class Look:
    """The difference as it stood at an instant, its standard error, and the always-valid interval."""

    at_s: float
    delta: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Treatment minus control, in the metric's unit; NaN and infinite ends = not known.

    arm: the treatment's place. error: standard error of delta. low, high: of one look, at the design's alpha.
    always_low, always_high, always_p: right however often one looks, at its comparison_alpha. cuped: whether the time
    before the experiment narrowed it. units, searches: of both arms that have the metric.
    """

    metric: Metric
    arm: int
    control: float
    treatment: float
    delta: float
    error: float
    low: float
    high: float
    always_low: float
    always_high: float
    always_p: float
    cuped: bool
    units: int
    searches: int
    looks: tuple[Look, ...]

    @property
    def lift(self) -> float:
        """The difference as a share of control; NaN where control has nothing."""
        return self.delta / abs(self.control) if self.control else np.nan

    @property
    def settled(self) -> bool:
        """Whether both arms have units enough for the always-valid figures."""
        return bool(np.isfinite(self.always_low))


def look_times(design: Design, searches: Searches, as_of_s: float) -> Values:
    """(L,) the ends of the days since the experiment began, and `as_of_s`; fewer, evenly spread, where it ran long."""
    begun = design.begun_at_s
    if begun is None:
        begun = float(searches.at_s.min()) if len(searches) else as_of_s
    days = max(0, int(np.ceil((as_of_s - begun) / DAY_S)) - 1)
    most = max(1, min(_MOST_LOOKS, _MOST_CELLS // max(1, searches.unit_count)) - 1)
    step = max(1, -(-days // most))
    ends = begun + DAY_S * np.arange(step, days + 1, step)
    return np.append(ends, as_of_s)


def compare(
    searches: Searches,
    metric: Metric,
    control: int,
    arm: int,
    ends_s: Values,
    alpha: float,
    always_alpha: float,
) -> Comparison | None:
    """The arm at place `arm` against the one at `control`; None where no search has the metric.

    searches: without crossed units. ends_s: (L,) ascending instants of the looks; the last one covers every search.
    """
    values = searches.metrics.get(metric.name)
    if values is None or np.isnan(values).all():
        return None
    before = searches.before.get(metric.name)
    sides = [
        _side(searches, values, (searches.arms == place) & ~np.isnan(values), ends_s)
        for place in (control, arm)
    ]
    plain = difference(sides[0][0], sides[1][0])
    found = plain
    if before is not None:
        found = adjusted(sides[0][0], sides[1][0], before[sides[0][1]], before[sides[1][1]])
    # What never varied is not known to be alike: the first search in which it does may be the next one.
    enough = (np.minimum(plain.control.units, plain.treatment.units) >= LEAST_UNITS) & (found.variance > 0)
    half = np.where(enough, margin(found.variance, metric.effect, always_alpha), np.inf)
    spoken = np.where(enough, always_p(found.delta, found.variance, metric.effect), 1.0)
    delta, variance = float(found.delta[-1]), float(found.variance[-1])
    once = float(student.isf(alpha / 2, found.freedom[-1]) * np.sqrt(variance)) if variance > 0 else np.inf
    return Comparison(
        metric,
        arm,
        control=float(plain.control.value[-1]),
        treatment=float(plain.treatment.value[-1]),
        delta=delta,
        error=float(np.sqrt(variance)),
        low=delta - once,
        high=delta + once,
        always_low=delta - float(half[-1]),
        always_high=delta + float(half[-1]),
        always_p=float(spoken.min()),
        cuped=bool(np.isfinite(variance) and variance != float(plain.variance[-1])),
        units=int(plain.control.units[-1] + plain.treatment.units[-1]),
        searches=int(plain.control.searches[-1] + plain.treatment.searches[-1]),
        looks=tuple(
            Look(float(at), float(middle), float(error), float(middle - wide), float(middle + wide))
            for at, middle, error, wide in zip(
                ends_s, found.delta, np.sqrt(found.variance), half, strict=True
            )
            if np.isfinite(middle)
        ),
    )


def _side(searches: Searches, values: Values, kept: Mask, ends_s: Values) -> tuple[Sums, Codes]:
    """The (L, U) sums of the units of an arm up to each look, and the (U,) codes of those units."""
    codes, places = np.unique(searches.units[kept], return_inverse=True)
    looks = len(ends_s)
    first = np.minimum(np.searchsorted(ends_s, searches.at_s[kept]), looks - 1)
    cells = places * looks + first
    size = len(codes) * looks

    def grown(weights: Values | None) -> Values:
        counted = np.bincount(cells, weights, minlength=size).astype(np.float64)
        return np.ascontiguousarray(counted.reshape(len(codes), looks).cumsum(axis=1).T)

    return Sums(grown(values[kept]), grown(None)), codes
