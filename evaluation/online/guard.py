"""Whether an arm does harm: the guardrails of a design, each with an interval that holds however often one looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .cuped import difference
from .design import Design, Guardrail
from .quantile import always_difference
from .ratio import sums_by_unit
from .searches import Searches
from .sequential import LEAST_UNITS, margin

State = Literal["holds", "broken", "open"]


@dataclass(frozen=True, slots=True)
class Guarded:
    """One guardrail of one arm. delta: harm beyond control's; NaN = not known.

    state: broken = more harm than tolerated is certain; holds = as much is ruled out; open = neither.
    """

    guardrail: Guardrail
    arm: int
    delta: float
    low: float
    high: float

    @property
    def state(self) -> State:
        """What the interval says."""
        if self.low > self.guardrail.tolerance:
            return "broken"
        return "holds" if self.high <= self.guardrail.tolerance else "open"


def guard(design: Design, searches: Searches, guardrail: Guardrail, arm: int) -> Guarded:
    """How the arm at place `arm` stands to a guardrail; searches: without crossed units."""
    values = searches.metrics.get(guardrail.metric)
    unknown = Guarded(guardrail, arm, np.nan, -np.inf, np.inf)
    if values is None:
        return unknown
    sides = []
    for place in (design.control, arm):
        kept = (searches.arms == place) & ~np.isnan(values)
        codes, units = np.unique(searches.units[kept], return_inverse=True)
        if len(codes) < LEAST_UNITS:
            return unknown
        sides.append((values[kept], units.astype(np.int64), len(codes)))
    (first, first_units, first_count), (second, second_units, second_count) = sides
    alpha = design.comparison_alpha
    if guardrail.quantile is not None:
        found = always_difference((first, first_units), (second, second_units), guardrail.quantile, alpha)
        return unknown if found is None else Guarded(guardrail, arm, found.value, found.low, found.high)
    plain = difference(
        sums_by_unit(first_units, first, first_count), sums_by_unit(second_units, second, second_count)
    )
    delta = float(plain.delta)
    # A harm that was never seen in either arm has no variance to tell how rare it is: one search more may show it.
    if float(plain.variance) == 0:
        floor = 3 / min(len(first), len(second))
        return Guarded(guardrail, arm, delta, delta, delta + floor)
    half = float(margin(plain.variance, guardrail.tolerance, alpha))
    return Guarded(guardrail, arm, delta, delta - half, delta + half)
