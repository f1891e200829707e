"""The live parts behind the HTTP face, made once for an application and handed to its handlers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from models.cpu import available_cpus

from .admission import Admission
from .engine import Engine
from .settings import Settings
from .telemetry import Telemetry

_LOOKUP_THREADS = 2
# The store takes one writer at a time anyway; the second thread reads a body meanwhile.
_WRITE_THREADS = 2


@dataclass(frozen=True, slots=True)
class Runtime:
    """searches, lookups, writes: the doors to three sets of threads, so that none of them queues behind another.

    now: the present instant, in UTC. mint: n random bytes as 2n hex digits.
    """

    settings: Settings
    engine: Engine
    telemetry: Telemetry
    searches: Admission
    lookups: Admission
    writes: Admission
    now: Callable[[], datetime]
    mint: Callable[[int], str]

    def close(self) -> None:
        """Nothing; whoever still waits is told that the service is closing."""
        self.searches.close()
        self.lookups.close()
        self.writes.close()
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
