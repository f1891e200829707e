"""Everything that is said of one version of an experiment, from its design and its searches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .comparison import Comparison, compare, look_times
from .design import METRICS, Design
from .guard import Guarded, guard
from .power import Plan, measured, plan
from .searches import DAY_S, Searches
from .slices import Slice, Unevenness, slices, unevenness
from .srm import RatioCheck, check_ratio
from .verdict import Verdict, verdict

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Report:
    """as_of_s, begun_at_s: seconds since 1970, UTC. crossed_units: seen in two arms, and counted in none.

    units, searches: (A,) of each arm. daily: (D, A) units first seen on each day since the beginning. comparisons: by
    metric, in the catalogue's order, and treatment. plan: to see the effect of interest of the deciding metric.
    """

    design: Design
    as_of_s: float
    begun_at_s: float
    crossed_units: int
    units: tuple[int, ...]
    searches: tuple[int, ...]
    daily: Counts
    ratio: RatioCheck
    comparisons: tuple[Comparison, ...]
    guarded: tuple[Guarded, ...]
    slices: tuple[Slice, ...]
    unevenness: tuple[Unevenness, ...]
    plan: Plan | None
    verdict: Verdict

    @property
    def days(self) -> float:
        """How long it has run."""
        return (self.as_of_s - self.begun_at_s) / DAY_S


def analyse(design: Design, searches: Searches, as_of_s: float) -> Report:
    """The report of all searches up to `as_of_s`. The same searches, in any order, give the same report."""
    crossed = searches.crossed()
    crossed_units = len(np.unique(searches.units[crossed]))
    fair = searches.where(~crossed) if crossed_units else searches
    begun = design.begun_at_s
    if begun is None:
        begun = float(searches.at_s.min()) if len(searches) else as_of_s
    ends = look_times(design, fair, as_of_s)
    daily = _daily(design, fair, begun, as_of_s)
    units = tuple(int(count) for count in daily.sum(axis=0))
    comparisons = _comparisons(design, fair, ends)
    primary = [one for one in comparisons if one.metric.name == design.primary]
    guarded = tuple(
        guard(design, fair, guardrail, arm) for arm in design.treatments for guardrail in design.guardrails
    )
    earlier = daily.cumsum(axis=0)[:-1].tolist()
    ratio = check_ratio(units, design.shares, earlier)
    planned = _plan(design, fair)
    days = (as_of_s - begun) / DAY_S
    found = slices(design, fair, ends)
    return Report(
        design,
        as_of_s,
        begun,
        crossed_units,
        units,
        tuple(int((fair.arms == place).sum()) for place in range(len(design.arms))),
        daily,
        ratio,
        comparisons,
        guarded,
        found,
        unevenness(design, found),
        planned,
        verdict(design, ratio, primary, guarded, planned, days),
    )


def _comparisons(design: Design, searches: Searches, ends: NDArray[np.float64]) -> tuple[Comparison, ...]:
    known = [name for name in METRICS if name in searches.metrics]
    names = known + sorted(searches.metrics.keys() - METRICS.keys())
    found = (
        compare(
            searches, design.metric(name), design.control, arm, ends, design.alpha, design.comparison_alpha
        )
        for name in names
        for arm in design.treatments
    )
    return tuple(one for one in found if one is not None)


def _daily(design: Design, searches: Searches, begun: float, as_of_s: float) -> Counts:
    """(D, A) units first seen on each day."""
    days = max(1, int(np.ceil((as_of_s - begun) / DAY_S)))
    count = np.zeros((days, len(design.arms)), np.int64)
    if len(searches):
        first = np.full(searches.unit_count, np.inf)
        np.minimum.at(first, searches.units, searches.at_s)
        day = np.clip(((first - begun) // DAY_S).astype(np.int64), 0, days - 1)
        np.add.at(count, (day, searches.unit_arms().astype(np.int64)), 1)
    return count


def _plan(design: Design, searches: Searches) -> Plan | None:
    variation = measured(searches, design.primary)
    if variation is None or variation.spread == 0:
        return None
    least = min(design.shares[arm] for arm in design.treatments)
    if min(least, design.shares[design.control]) <= 0:
        return None
    effect = design.metric(design.primary).effect
    return plan(variation, effect, (design.shares[design.control], least), design.comparison_alpha)
