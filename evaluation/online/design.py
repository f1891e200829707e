"""What is fixed before the first search is seen: arms and shares, the metric that decides, the effect that matters.

The effect of interest of a metric does two things. It sets the mixing distribution of the always-valid intervals
(`sequential`), which must not be chosen by looking at the data; and it is the ±x of "no difference within ±x".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

ALPHA = 0.05
SRM_ALPHA = 0.001


@dataclass(frozen=True, slots=True)
class Metric:
    """How a figure is read. better: +1 = more is better, -1 = less is. effect: the least difference that matters."""

    name: str
    better: int
    effect: float
    words: str


_METRICS = (
    Metric("click_mrr@5", +1, 0.02, "1 / rank of the first click among the first five hits, 0 without one"),
    Metric("ctr@1", +1, 0.02, "share of searches whose first hit was clicked"),
    Metric("ctr@5", +1, 0.02, "share of searches with a click among the first five hits"),
    Metric("click_ndcg@10", +1, 0.02, "nDCG of the first ten hits with clicks for grades"),
    Metric("zero_click", -1, 0.02, "share of searches without any click"),
    Metric("zero_result", -1, 0.01, "share of searches that found nothing"),
    Metric("refined", -1, 0.02, "share of searches that were asked again in other words"),
    Metric("dwell_ms", +1, 5_000.0, "milliseconds spent with what was clicked"),
    Metric("applied", +1, 0.005, "share of searches that led to an application"),
    Metric("latency_ms", -1, 20.0, "milliseconds from request to answer"),
    Metric("error", -1, 0.005, "share of searches that were answered with an error"),
    Metric("degraded", -1, 0.01, "share of searches that were answered with less"),
)
METRICS: Mapping[str, Metric] = MappingProxyType({metric.name: metric for metric in _METRICS})
PRIMARY = "click_mrr@5"


@dataclass(frozen=True, slots=True)
class Guardrail:
    """A harm that stops an arm: `metric` higher than in control by more than `tolerance`, in the metric's unit.

    quantile: None = of the mean; 0.95 = of the 95th percentile.
    """

    metric: str
    tolerance: float
    quantile: float | None = None

    @property
    def name(self) -> str:
        """The harm in a word, such as "p95 latency_ms"."""
        return self.metric if self.quantile is None else f"p{self.quantile * 100:g} {self.metric}"


GUARDRAILS = (
    Guardrail("latency_ms", 50.0, 0.95),
    Guardrail("error", 0.005),
    Guardrail("zero_result", 0.01),
)


@dataclass(frozen=True, slots=True)
class Design:
    """One version of an experiment as the analysis needs it.

    arms: their names in order. shares: of the units that take part, adding up to 1. control: its place among the arms.
    effects: effects of interest that replace those of the catalogue. begun_at_s, ended_at_s: seconds since 1970;
    None = with the first search, and not yet.
    """

    key: str
    version: int
    arms: tuple[str, ...]
    shares: tuple[float, ...]
    control: int = 0
    primary: str = PRIMARY
    effects: Mapping[str, float] = field(default_factory=dict)
    guardrails: tuple[Guardrail, ...] = GUARDRAILS
    alpha: float = ALPHA
    begun_at_s: float | None = None
    ended_at_s: float | None = None

    def __post_init__(self) -> None:
        if len(self.arms) < 2 or len(set(self.arms)) != len(self.arms):
            raise ValueError(f"{self.key}: an experiment has two arms or more, each with a name of its own")
        if len(self.shares) != len(self.arms) or min(self.shares) < 0 or abs(sum(self.shares) - 1) > 1e-6:
            raise ValueError(f"{self.key}: the shares of the arms do not add up to 1")

    @property
    def treatments(self) -> tuple[int, ...]:
        """The places of all arms but the control."""
        return tuple(place for place in range(len(self.arms)) if place != self.control)

    @property
    def comparison_alpha(self) -> float:
        """The error allowed to each comparison with control, so that all together stay under alpha (Bonferroni)."""
        return self.alpha / len(self.treatments)

    def metric(self, name: str) -> Metric:
        """How `name` is read; a metric that is not in the catalogue is better when higher, by 0.02 or more."""
        known = METRICS.get(name, Metric(name, +1, 0.02, ""))
        effect = self.effects.get(name, known.effect)
        return Metric(known.name, known.better, effect, known.words)
