"""The service's own figures, in one Prometheus registry per application. Label values come from closed sets.

Libraries return numbers; this is the one place where they become metrics.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.exposition import choose_encoder

from .analysis.metrics import AnalysisMetrics
from .call import PRIORITIES, Priority
from .feedback.metrics import FeedbackMetrics
from .observation import Observation
from .precision.metrics import LadderMetrics
from .vitals import Vitals

UNMATCHED = "unmatched"
OTHER = "other"

# Every stage a search may report; a name outside the set is counted as "other".
STAGES = frozenset(
    {"queue", "parse", "understand", "assign", "mask", "encode", "lexical", "okapi", "dense", "alias", "fuse"}
    | {"tokenize", "batch", "forward", "rerank", "order", "collapse", "facets", "eligibility", "highlight"}
    | {"answer", "attraction", "serialise", "expose", "total"}
)
DEGRADED_REASONS = frozenset(
    {"budget", "error", "unavailable", "timeout", "non-finite", "empty", "not-ready", "overload", "no-model"}
)
WRITE_STATUSES = frozenset({"created", "updated", "unchanged", "deleted", "refused", "rejected"})
_SEARCHES = frozenset({"/v1/search", "/v1/rerank"})
_COUNTED = frozenset({200, 429, 503, 504})
_LATE = frozenset({"budget", "timeout", "overload"})
REJECTED_REASONS = frozenset({"queue-full", "queue-wait", "budget", "shutdown", "feedback-rate"})

_LIVE = {
    "lag_seconds": "How long the store has held something that searches do not see; 0 when it holds nothing such.",
    "delta_documents": "Documents changed since the snapshot on disk was built.",
    "pending_vectors": "Documents that are found by their words alone so far.",
    "store_sequence": "The last change of the store that searches see.",
    "store_up": "1 while the store can be followed.",
}
_VITAL: Mapping[str, Callable[[Callable[[], Vitals]], float]] = {
    "lag_seconds": lambda vitals: vitals().lag_s,
    "delta_documents": lambda vitals: vitals().delta,
    "pending_vectors": lambda vitals: vitals().pending_vectors,
    "store_sequence": lambda vitals: vitals().sequence,
    "store_up": lambda vitals: float(vitals().store == "ok"),
}
_TOKEN = re.compile(r"[A-Za-z0-9_-]+")
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Telemetry:
    """The metrics of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._requests = Counter(
            "scholarsearch_requests", "Requests answered.", ["route", "status"], registry=self.registry
        )
        self._request_seconds = Histogram(
            "scholarsearch_request_seconds",
            "Whole time of a request, from its first byte read to its last byte sent.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._stages = Histogram(
            "scholarsearch_stage_seconds",
            "Time of one stage of a search.",
            ["stage"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._rejected = Counter(
            "scholarsearch_rejected", "Requests refused at the door.", ["reason"], registry=self.registry
        )
        self._degraded = Counter(
            "scholarsearch_degraded",
            "Searches answered with less than planned.",
            ["stage", "reason"],
            registry=self.registry,
        )
        self._queue = Gauge(
            "scholarsearch_queue_depth", "Searches waiting now.", ["priority"], registry=self.registry
        )
        self._snapshot = Info("scholarsearch_snapshot", "The snapshot that answers.", registry=self.registry)
        self._writes = Counter(
            "scholarsearch_writes", "Records sent to be written.", ["status"], registry=self.registry
        )
        self._swaps = Histogram(
            "scholarsearch_swap_seconds",
            "Time to make what is searched next, while the old goes on answering.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._judged_mrr5 = Gauge(
            "scholarsearch_judged_mrr5",
            "MRR@5 of the judged canary set, as ranked by this service.",
            ["set", "system"],
            registry=self.registry,
        )
        self._canary_alarm = Gauge(
            "scholarsearch_canary_alarm",
            "1 while that MRR@5 is below the accepted one by more than the tolerance.",
            ["set", "system"],
            registry=self.registry,
        )
        self._live = {
            name: Gauge(f"scholarsearch_{name}", words, registry=self.registry)
            for name, words in _LIVE.items()
        }

        self.ladder = LadderMetrics(self.registry)
        self.feedback = FeedbackMetrics(self.registry)
        self.analysis = AnalysisMetrics(self.registry)
        self._searched: Callable[[float, float, bool], None] = lambda elapsed_ms, queue_ms, missed: None

    def watch_searches(self, searched: Callable[[float, float, bool], None]) -> None:
        """Nothing; `searched` is told of each search: milliseconds in all and in the queue, whether time ran out."""
        self._searched = searched

    def sang(self, set_name: str, system: str, mrr5: float, *, alarm: bool) -> None:
        """Nothing; the judged set was ranked again: its MRR@5, and whether that fell below the accepted one."""
        self._judged_mrr5.labels(set_name, system).set(mrr5)
        self._canary_alarm.labels(set_name, system).set(alarm)

    def watch_queue(self, waiting: Callable[[Priority], int]) -> None:
        """Nothing; from here on the queue gauge asks `waiting` when it is read."""
        for priority in PRIORITIES:
            self._queue.labels(priority).set_function(partial(waiting, priority))

    def serve_snapshot(self, fingerprint: str) -> None:
        """Nothing; the snapshot that answers from now on is the one of this fingerprint."""
        self._snapshot.info({"fingerprint": fingerprint})

    def watch_live(self, vitals: Callable[[], Vitals]) -> None:
        """Nothing; from here on the gauges of live updates ask `vitals` when they are read."""
        for name, gauge in self._live.items():
            gauge.set_function(partial(_VITAL[name], vitals))

    def swap(self, seconds: float, fingerprint: str) -> None:
        """Nothing; what is searched was replaced, which took so long to prepare."""
        self._swaps.observe(seconds)
        self.serve_snapshot(fingerprint)

    def wrote(self, statuses: Iterable[str]) -> None:
        """Nothing; so many records were sent to be written, and this became of each."""
        for status, count in Tally(statuses).items():
            self._writes.labels(_member(status, WRITE_STATUSES)).inc(count)

    def record(self, route: str, status: int, elapsed_ms: float, observation: Observation) -> None:
        """Nothing; one finished request is counted.

        route: a route's template, or "unmatched". Never a path: paths are the callers' to invent.
        """
        self._requests.labels(route, str(status)).inc()
        self._request_seconds.labels(route).observe(elapsed_ms / 1000)
        for stage, stage_ms in observation.timings_ms.items():
            self._stages.labels(_member(stage, STAGES)).observe(stage_ms / 1000)
        for stage, reason in observation.degraded:
            self._degraded.labels(_member(stage, STAGES), _member(reason, DEGRADED_REASONS)).inc()
        if observation.rejected is not None:
            self._rejected.labels(_member(observation.rejected, REJECTED_REASONS)).inc()
        if route in _SEARCHES and status in _COUNTED:
            late = observation.rejected is not None or any(why in _LATE for _, why in observation.degraded)
            self._searched(elapsed_ms, observation.timings_ms.get("queue", 0.0), late)

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """The metrics as text and its content type, in the format that `accept` asks for."""
        encode, content_type = choose_encoder(accept)
        return encode(self.registry), content_type


def server_timing(timings_ms: Mapping[str, float]) -> str:
    """The value of a `Server-Timing` header: `parse;dur=0.12, lexical;dur=3.4, total;dur=12.3`."""
    named = ((stage, value) for stage, value in timings_ms.items() if _TOKEN.fullmatch(stage))
    return ", ".join(f"{stage};dur={round(value, 3)}" for stage, value in named)


def _member(value: str, allowed: frozenset[str]) -> str:
    return value if value in allowed else OTHER
