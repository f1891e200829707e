"""Gates on figures, for a build that must not get worse: `mrr@5=0.80`, of one system or of all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .assessment import Assessment
from .errors import ThresholdError
from .metrics import METRICS

_FORM = re.compile(r"(?P<metric>[^=:]+)=(?P<least>[^:]+)(:(?P<system>.+))?")


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least value of a metric. system: whose; None = everybody's."""

    metric: str
    least: float
    system: str | None = None


def parse_threshold(text: str) -> Threshold:
    """The threshold written as METRIC=LEAST or METRIC=LEAST:SYSTEM. Raises ThresholdError."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ThresholdError(f"{text!r} is not of the form mrr@5=0.80 or mrr@5=0.80:hybrid")
    metric = known_metric(found["metric"])
    try:
        least = float(found["least"])
    except ValueError:
        least = float("nan")
    if not 0 <= least <= 1:
        raise ThresholdError(f"{text!r}: the least value must be a number between 0 and 1")
    return Threshold(metric, least, found["system"])


def known_metric(name: str) -> str:
    """The metric of that name. Raises ThresholdError, which lists the known ones."""
    if name.strip() not in METRICS:
        raise ThresholdError(f"no metric {name.strip()!r}; known: {', '.join(METRICS)}")
    return name.strip()


def under(judged: Assessment, thresholds: Sequence[Threshold]) -> list[str]:
    """One sentence for each figure that is under its threshold.

    Raises ThresholdError for a system that was not judged.
    """
    names = [system.name for system in judged.systems]
    failures = []
    for threshold in thresholds:
        if threshold.system is not None and threshold.system not in names:
            raise ThresholdError(f"no system {threshold.system!r} was judged; there are {', '.join(names)}")
        failures += [
            f"{system.name}: {threshold.metric} {system.means[threshold.metric]:.4f} is under {threshold.least:g}"
            for system in judged.systems
            if threshold.system in (None, system.name) and system.means[threshold.metric] < threshold.least
        ]
    return failures


def below_baseline(judged: Assessment, metrics: Sequence[str], alpha: float) -> list[str]:
    """One sentence for each system that is worse than the baseline by more than chance explains (Holm-corrected).

    Raises ThresholdError for a metric that is not compared.
    """
    compared = {comparison.metric for comparison in judged.comparisons}
    for metric in metrics:
        if judged.comparisons and metric not in compared:
            raise ThresholdError(f"{metric} is not compared; compared are {', '.join(sorted(compared))}")
    return [
        f"{found.b}: {found.metric} is {-found.delta:.4f} below {found.a} (p {found.p_holm:.4f}, {found.n} queries)"
        for found in judged.comparisons
        if found.metric in metrics and found.delta < 0 and found.p_holm < alpha
    ]
