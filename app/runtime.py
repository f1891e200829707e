"""The live parts behind the HTTP face, made once for an application and handed to its handlers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from models.cpu import available_cpus

from .admission import Admission
from .analysis.analyst import Analyst
from .engine import Engine
from .feedback.opening import Feedback
from .settings import Settings
from .telemetry import Telemetry

_LOOKUP_THREADS = 2
# The store takes one writer at a time anyway; the second thread reads a body meanwhile.
_WRITE_THREADS = 2
# Those that wait for the disk share one wait.
_FEEDBACK_THREADS = 8
# Reports are long sums over the log: one after another.
_REPORT_THREADS = 1


@dataclass(frozen=True, slots=True)
class Runtime:
    """searches, lookups, writes, feedbacks, reports: doors to sets of threads, so that none queues behind another.

    feedback: what was served and what became of it; analyst: what that says of experiments; None = nobody keeps it.
    now: the present instant, in UTC.
    mint: n random bytes as 2n hex digits.
    """

    settings: Settings
    engine: Engine
    telemetry: Telemetry
    searches: Admission
    lookups: Admission
    writes: Admission
    feedbacks: Admission
    reports: Admission
    feedback: Feedback | None
    analyst: Analyst | None
    now: Callable[[], datetime]
    mint: Callable[[int], str]

    def close(self) -> None:
        """Nothing; whoever still waits is told that the service is closing."""
        self.searches.close()
        self.lookups.close()
        self.writes.close()
        self.feedbacks.close()
        self.reports.close()
        if self.feedback is not None:
            self.feedback.close()
        self.engine.close()


def search_door(settings: Settings) -> Admission:
    """The door to the search threads: as many as there are processors, unless the operator said otherwise."""
    workers = settings.search_threads or available_cpus()
    return Admission(workers, settings.queue_depth, settings.queue_wait_ms, "search")


def lookup_door(settings: Settings) -> Admission:
    """The door to the threads of short look-ups."""
    return Admission(_LOOKUP_THREADS, settings.queue_depth, settings.queue_wait_ms, "lookup")


def write_door(settings: Settings) -> Admission:
    """The door to the threads that write."""
    return Admission(_WRITE_THREADS, settings.queue_depth, settings.queue_wait_ms, "write")


def feedback_door(settings: Settings) -> Admission:
    """The door to the threads that take feedback."""
    return Admission(_FEEDBACK_THREADS, settings.queue_depth, settings.queue_wait_ms, "feedback")


def report_door(settings: Settings) -> Admission:
    """The door to the thread that makes reports of experiments."""
    return Admission(_REPORT_THREADS, settings.queue_depth, settings.queue_wait_ms, "report")
