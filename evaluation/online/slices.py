"""Whether an arm does otherwise for some than for others: the deciding metric by tag, corrected for looking often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from .comparison import Comparison, compare
from .design import Design
from .searches import Searches, Values
from .sequential import LEAST_UNITS


@dataclass(frozen=True, slots=True)
class Slice:
    """The searches that bear one word of a tag; the intervals allow for all slices of the report (Bonferroni)."""

    tag: str
    value: str
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Unevenness:
    """Whether the slices of a tag differ more than chance has it: Cochran's Q over their differences.

    p_holm: p, corrected for the tags and arms of the report (Holm). Cochran, Biometrics 10 (1954).
    """

    tag: str
    arm: int
    slices: int
    q: float
    p: float
    p_holm: float


def slices(design: Design, searches: Searches, ends_s: Values) -> tuple[Slice, ...]:
    """By tag and word, largest first, wherever both arms have 100 units; searches: without crossed units."""
    parts = [
        (tag, str(value), part)
        for tag, words in sorted(searches.tags.items())
        for value in np.unique(words[words != ""])
        if len(part := searches.where(words == value))
    ]
    wanted = [
        (tag, value, part, arm)
        for tag, value, part in parts
        for arm in design.treatments
        if min(_units(part, place) for place in (design.control, arm)) >= LEAST_UNITS
    ]
    found = []
    for tag, value, part, arm in wanted:
        alpha = design.alpha / len(wanted)
        metric = design.metric(design.primary)
        compared = compare(part, metric, design.control, arm, ends_s[-1:], alpha, alpha)
        if compared is not None:
            found.append(Slice(tag, value, compared))
    return tuple(sorted(found, key=lambda one: (one.tag, -one.comparison.searches, one.value)))


def unevenness(design: Design, found: tuple[Slice, ...]) -> tuple[Unevenness, ...]:
    """Of every tag and arm with two slices or more whose variance is known, the surest first."""
    drafts = []
    for tag in sorted({one.tag for one in found}):
        for arm in design.treatments:
            own = [one.comparison for one in found if one.tag == tag and one.comparison.arm == arm]
            delta = np.array([one.delta for one in own])
            error = np.array([one.error for one in own])
            usable = np.isfinite(error) & (error > 0)
            if usable.sum() < 2:
                continue
            weight = 1 / error[usable] ** 2
            mean = (weight * delta[usable]).sum() / weight.sum()
            q = float((weight * (delta[usable] - mean) ** 2).sum())
            drafts.append((float(chi2.sf(q, usable.sum() - 1)), tag, arm, int(usable.sum()), q))
    drafts.sort()
    worst, corrected = 0.0, []
    for place, (p, tag, arm, count, q) in enumerate(drafts):
        worst = max(worst, min(1.0, p * (len(drafts) - place)))
        corrected.append(Unevenness(tag, arm, count, q, p, worst))
    return tuple(corrected)


def _units(searches: Searches, arm: int) -> int:
    return len(np.unique(searches.units[searches.arms == arm]))
