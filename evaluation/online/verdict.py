"""What a report comes to, in words: one of a few kinds, the sentence that says it, and what would change it.

Only the always-valid figures decide, so it may be read every day. Nothing is decided while the split is off, and an arm
that breaks a guardrail is to be stopped whatever it gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .comparison import Comparison
from .design import Design
from .guard import Guarded
from .power import Plan
from .srm import RatioCheck

Kind = Literal["better", "worse", "alike", "open", "blocked", "stopped"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """arm: the name of the arm it is about.

    needed_units, needed_days: to decide, in all and from now on; None = not known, or decided.
    """

    kind: Kind
    arm: str | None
    sentence: str
    change: str
    needed_units: int | None = None
    needed_days: int | None = None


def verdict(
    design: Design,
    ratio: RatioCheck,
    primary: Sequence[Comparison],
    guarded: Sequence[Guarded],
    plan: Plan | None,
    days: float,
) -> Verdict:
    """What to do with the experiment. primary: the deciding metric of every treatment; plan: to see its effect."""
    if ratio.mismatch:
        return _blocked(design, ratio)
    if broken := [one for one in guarded if one.state == "broken"]:
        return _stopped(design, broken)
    units = None if plan is None else plan.sequential_units
    left = None
    if plan is not None and plan.sequential_days is not None:
        left = max(0, int(np.ceil(plan.sequential_days - days)))
    decided = [one for one in primary if one.always_p < design.comparison_alpha and one.delta != 0]
    better = [one for one in decided if one.delta * one.metric.better > 0]
    if better:
        best = max(better, key=lambda one: one.delta * one.metric.better)
        doubts = _doubts(design, best, guarded)
        return Verdict("better", design.arms[best.arm], _gain(design, best), doubts)
    if decided and len(decided) == len(design.treatments):
        worst = min(decided, key=lambda one: one.delta * one.metric.better)
        return Verdict(
            "worse",
            design.arms[worst.arm],
            _loss(design, worst),
            "Nothing that is likely: keep control. A look at the slices may say whom it harms.",
        )
    if len(primary) == len(design.treatments) and all(_alike(one) for one in primary):
        effect = primary[0].metric.effect
        return Verdict(
            "alike",
            None,
            f"No difference in {design.primary} of {_number(effect)} or more, for better or worse: "
            + _ranges(design, primary)
            + ".",
            "A smaller effect of interest. Choose by cost and simplicity.",
        )
    return Verdict("open", None, _undecided(design, primary), _wait(primary, plan, left), units, left)


def _blocked(design: Design, ratio: RatioCheck) -> Verdict:
    gaps = [
        (abs(seen - planned) / max(planned, 1.0), name, seen, planned)
        for name, seen, planned in zip(design.arms, ratio.units, ratio.expected, strict=True)
    ]
    _, name, seen, planned = max(gaps)
    return Verdict(
        "blocked",
        None,
        f"{name} has {seen:,} units where {planned:,.0f} were planned, which is not chance "
        f"(p {_p(ratio.p)}): no lift of this experiment can be trusted.",
        "The reason found why units are lost or added in one arm (a crash, a redirect, a cache, a bot filter that one "
        "arm sets off), and a new version without it.",
    )


def _stopped(design: Design, broken: Sequence[Guarded]) -> Verdict:
    worst = broken[0]
    harms = "; ".join(
        f"{design.arms[one.arm]} adds {_number(one.delta)} to {one.guardrail.name}, at least {_number(one.low)}, "
        f"where {_number(one.guardrail.tolerance)} is tolerated"
        for one in broken
    )
    return Verdict(
        "stopped",
        design.arms[worst.arm],
        f"{harms}.",
        "A mended arm, as a new version; or a tolerance that was set too low, argued before it is raised.",
    )


def _gain(design: Design, one: Comparison) -> str:
    least = min(abs(one.always_low), abs(one.always_high))
    verb = "raises" if one.delta > 0 else "lowers"
    return (
        f"{design.arms[one.arm]} {verb} {one.metric.name} by {_number(abs(one.delta))}"
        f"{_percent(one)}, at least by {_number(least)} however often one looks."
    )


def _loss(design: Design, one: Comparison) -> str:
    verb = "raises" if one.delta > 0 else "lowers"
    others = "" if len(design.treatments) == 1 else " Every other arm is worse than control too."
    return (
        f"{design.arms[one.arm]} {verb} {one.metric.name} by {_number(abs(one.delta))}{_percent(one)}, which is "
        f"the wrong way.{others}"
    )


def _doubts(design: Design, best: Comparison, guarded: Sequence[Guarded]) -> str:
    waiting = [one.guardrail.name for one in guarded if one.arm == best.arm and one.state == "open"]
    if waiting:
        return (
            f"Not all harm is ruled out yet: {', '.join(waiting)} may still be more than is tolerated. "
            "Wait for it before everybody gets this arm."
        )
    return "A split that goes off, or a guardrail that breaks as more searches come in."


def _undecided(design: Design, primary: Sequence[Comparison]) -> str:
    if not primary:
        return f"No search of this version has {design.primary} yet."
    if all(one.error == 0 for one in primary):
        return f"{design.primary} is {_number(primary[0].control)} in every search so far: there is nothing to compare."
    if not any(one.settled for one in primary):
        return f"Too few units to say anything of {design.primary}: each arm needs 100 at least."
    return f"Nothing is decided about {design.primary} yet: {_ranges(design, primary)}."


def _wait(primary: Sequence[Comparison], plan: Plan | None, left: int | None) -> str:
    if plan is None or not primary:
        return "More units."
    needed = plan.sequential_units
    effect = _number(plan.effect)
    pace = "at the pace so far it would take over two years" if left is None else f"in about {left} days"
    seen = max(one.units for one in primary)
    if seen >= needed:
        return (
            f"A difference of {effect} would have shown by now, four times out of five: the true one is probably "
            "smaller. Wait for the interval to come inside it, or stop and keep control."
        )
    return (
        f"About {needed:,} units in all would show a difference of {effect}, four times out of five: {pace}."
    )


def _ranges(design: Design, primary: Sequence[Comparison]) -> str:
    return ", ".join(
        f"{design.arms[one.arm]} is {_signed(one.delta)} and anything between {_signed(one.always_low)} and "
        f"{_signed(one.always_high)} is possible"
        for one in primary
        if one.settled
    )


def _alike(one: Comparison) -> bool:
    return -one.metric.effect <= one.always_low and one.always_high <= one.metric.effect


def _percent(one: Comparison) -> str:
    return f" ({one.lift * 100:+.1f} %)" if np.isfinite(one.lift) else ""


def _number(value: float) -> str:
    """Three significant digits at most, never in powers of ten."""
    if value == 0:
        return "0"
    places = max(0, 2 - int(np.floor(np.log10(abs(value)))))
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{_number(abs(value))}"


def _p(value: float | None) -> str:
    return "unknown" if value is None else "< 0.0001" if value < 1e-4 else f"{value:.4f}"
