"""The ladder on /metrics."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge

from models.ladder import Signals, State
from models.rung import RUNGS, Rung

_SIGNALS = {
    "grad_norm": "L2 norm of the gradient of adapters and gate.",
    "grad_norm_std": "Its standard deviation over the window.",
    "qps": "Searches a second, mean over the window.",
    "qps_std": "Standard deviation of searches a second over the window.",
}


class LadderMetrics:
    """Figures of one ladder; those of a signal are NaN while it is not known."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._rung = Gauge(
            "scholarsearch_precision_rung", "1 for the rung that serves.", ["rung"], registry=registry
        )
        self._switches = Counter(
            "scholarsearch_precision_switches",
            "Moves of the ladder.",
            ["from", "to", "reason"],
            registry=registry,
        )
        self._agreement = Gauge(
            "scholarsearch_rung_agreement",
            "Overlap of a rung's top 5 with the reference rung's, mean of the searches compared of late.",
            ["rung"],
            registry=registry,
        )
        self._signals = {
            name: Gauge(f"scholarsearch_{name}", words, registry=registry) for name, words in _SIGNALS.items()
        }

    def watch(self, state: Callable[[], State], signals: Callable[[], Signals]) -> None:
        """Nothing; from here on the gauges ask when they are read."""
        for rung in RUNGS:
            self._rung.labels(rung).set_function(partial(_serves, state, rung))
            self._agreement.labels(rung).set_function(partial(_agreement, signals, rung))
        for name, gauge in self._signals.items():
            gauge.set_function(partial(_signal, signals, name))

    def switched(self, old: Rung, new: Rung, reason: str) -> None:
        """Nothing; the ladder moved."""
        self._switches.labels(old, new, reason).inc()


def _serves(state: Callable[[], State], rung: Rung) -> float:
    return float(state().rung == rung)


def _agreement(signals: Callable[[], Signals], rung: Rung) -> float:
    seen = signals().agreement.get(rung)
    return math.nan if seen is None else seen.mean


def _signal(signals: Callable[[], Signals], name: str) -> float:
    value = getattr(signals(), name)
    return math.nan if value is None else float(value)
