"""Feedback as Prometheus shows it. Experiments and variants are those that are registered, so the sets are closed."""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from .desk import Loss
from .figures import EVERYBODY, Figures
from .intake import Kept

_LABELS = ["experiment", "variant"]
_FIGURES = {
    "click_mrr5": (
        "click_mrr@5",
        "Mean of 1 / rank of the best-ranked click among five hits, 0 without one.",
    ),
    "ctr1": ("ctr@1", "Share of searches whose first hit was clicked."),
    "ctr5": ("ctr@5", "Share of searches with a click among the first five hits."),
    "zero_click_rate": ("zero_click", "Share of searches on whose hits nobody acted."),
    "zero_result_rate": ("zero_result", "Share of searches that found nothing."),
    "refinement_rate": ("refined", "Share of searches that were soon asked again in other words."),
}
_SEARCHES = "Searches of the last day that these figures are made of."


class FeedbackMetrics:
    """The metrics of feedback in one registry; `figures` are those of the last day, over all processes."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._exposures = Counter(
            "scholarsearch_exposures",
            "Answers logged by this process, by arm; all of them as experiment -.",
            _LABELS,
            registry=registry,
        )
        self._lost = Counter(
            "scholarsearch_exposures_lost",
            "Answers that were served and could not be logged.",
            ["reason"],
            registry=registry,
        )
        self._events = Counter(
            "scholarsearch_feedback_events",
            "Events received, by what became of them.",
            ["status"],
            registry=registry,
        )
        self._damaged = Counter(
            "scholarsearch_feedback_damaged_lines",
            "Lines of the spool that could not be read.",
            registry=registry,
        )
        self._spool = Gauge(
            "scholarsearch_feedback_spool_bytes",
            "What waits on the disk for the store.",
            registry=registry,
        )
        self._latest = _Latest()
        registry.register(self._latest)

    def exposed(self, arms: Iterable[tuple[str, str]]) -> None:
        """Nothing; an answer with these (experiment, variant) was logged."""
        for place in (EVERYBODY, *arms):
            self._exposures.labels(*place).inc()

    def lost(self, why: Loss) -> None:
        """Nothing; an answer was not logged."""
        self._lost.labels(why).inc()

    def received(self, statuses: Iterable[str]) -> None:
        """Nothing; so many events came, and this became of each: accepted, known or contradicted."""
        for status, count in Tally(statuses).items():
            self._events.labels(status).inc(count)

    def kept(self, kept: Kept, damaged: int) -> None:
        """Nothing; a batch reached the store."""
        self._damaged.inc(damaged)
        if kept.contradicted:
            self._events.labels("contradicted_late").inc(kept.contradicted)

    def watch_spool(self, held_bytes: Callable[[], int]) -> None:
        """Nothing; from here on the gauge asks `held_bytes` when it is read."""
        self._spool.set_function(held_bytes)

    def figures(self, found: Mapping[tuple[str, str], Figures]) -> None:
        """Nothing; these are the figures from now on, and arms that are not among them have none any more."""
        self._latest.found = dict(found)


class _Latest(Collector):
    def __init__(self) -> None:
        self.found: Mapping[tuple[str, str], Figures] = {}

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One gauge a figure, by arm; none where it is not known."""
        found = self.found
        counts = GaugeMetricFamily("scholarsearch_click_searches", _SEARCHES, labels=_LABELS)
        for place, figures in found.items():
            counts.add_metric(place, figures.searches)
        yield counts
        for name, (metric, words) in _FIGURES.items():
            gauge = GaugeMetricFamily(f"scholarsearch_{name}", words, labels=_LABELS)
            for place, figures in found.items():
                if not math.isnan(value := figures.means[metric]):
                    gauge.add_metric(place, value)
            yield gauge
