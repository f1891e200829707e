"""The analysis as Prometheus shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector


class AnalysisMetrics(Collector):
    """One gauge per running experiment in `registry`; experiments that ended have none any more."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._ratios: Mapping[str, float] = {}
        registry.register(self)

    def ratios(self, found: Mapping[str, float]) -> None:
        """Nothing; these are the p of the sample-ratio checks from now on."""
        self._ratios = dict(found)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauge."""
        gauge = GaugeMetricFamily(
            "scholarsearch_srm_p",
            "Chance of a split at least this uneven when all is well; below 0.001 no lift can be trusted.",
            labels=["experiment"],
        )
        for key, p in self._ratios.items():
            gauge.add_metric([key], p)
        yield gauge
