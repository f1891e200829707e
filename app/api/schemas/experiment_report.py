"""What the log says of one version of an experiment, as it is sent. What is not known is null."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Span = tuple[float | None, float | None] | None
"""Both ends of an interval; null where an end, or all of it, is not known."""


class Model(BaseModel):
    """Part of a report."""


class ArmReport(Model):
    """share: of the units that take part, planned, from 0 to 1."""

    name: str
    share: float
    units: int
    searches: int


class Day(Model):
    """units: first seen on that day, by arm."""

    day: str
    units: list[int]


class Ratio(Model):
    """The sample-ratio check: p of this look, always_p of all looks. mismatch: no lift can be trusted."""

    units: list[int]
    expected: list[float]
    p: float | None
    always_p: float | None
    mismatch: bool
    sure: bool


class LookReport(Model):
    """The difference as it stood at an instant."""

    at: str
    delta: float
    always_ci: Span


class ComparisonReport(Model):
    """One arm against control. ci: of one look; always_ci, always_p: right however often one looks."""

    arm: str
    delta: float | None
    lift: float | None
    ci: Span
    always_ci: Span
    always_p: float | None
    cuped: bool
    units: int
    searches: int


class LookedAt(ComparisonReport):
    """A comparison with the looks that led to it, in the deciding metric alone."""

    looks: list[LookReport] | None = None


class Value(Model):
    """Mean over the arm's searches."""

    value: float | None


class MetricReport(Model):
    """better: +1 = more is better, -1 = less is. effect: the least difference that matters."""

    name: str
    words: str
    better: int
    effect: float
    arms: dict[str, Value]
    comparisons: list[LookedAt]


class GuardrailReport(Model):
    """Harm beyond control's in one arm, and whether more than is tolerated is certain or ruled out."""

    name: str
    metric: str
    arm: str
    tolerance: float
    delta: float | None
    always_ci: Span
    state: Literal["holds", "broken", "open"]


class SliceReport(ComparisonReport):
    """The deciding metric among the searches with one word of a tag, corrected for the number of slices."""

    tag: str
    value: str
    metric: str
    better: int
    effect: float


class UnevennessReport(Model):
    """Whether an arm does otherwise for some words of a tag than for others (Cochran's Q, Holm-corrected)."""

    tag: str
    arm: str
    slices: int
    q: float
    p: float
    p_holm: float


class PlanReport(Model):
    """Units in all for one look, and for looking every day, to find the effect four times out of five."""

    effect: float
    alpha: float
    power: float
    units: int
    days: int | None
    sequential_units: int
    sequential_days: int | None


class VerdictReport(Model):
    """What it comes to, in a sentence, and what would change it."""

    kind: Literal["better", "worse", "alike", "open", "blocked", "stopped"]
    arm: str | None
    sentence: str
    change: str
    needed_units: int | None
    needed_days: int | None


class ExperimentReport(Model):
    """The report of one version."""

    key: str
    version: int
    as_of: str
    begun_at: str
    ended_at: str | None
    days: float
    alpha: float
    comparison_alpha: float
    primary: str
    control: str
    searches: int
    units: int
    crossed_units: int
    arms: list[ArmReport]
    daily: list[Day]
    ratio: Ratio
    metrics: list[MetricReport]
    guardrails: list[GuardrailReport]
    slices: list[SliceReport]
    unevenness: list[UnevennessReport]
    plan: PlanReport | None
    verdict: VerdictReport
