"""How fast one host is asked: one request after another, with a pause between them."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Pace:
    """The next moment at which each host may be asked. Threads may share it. `clock`: seconds, monotonic."""

    def __init__(self, interval_s: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._interval_s = interval_s
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._intervals: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def slow_down(self, host: str, interval_s: float) -> None:
        """Nothing; that host is asked no oftener than that from now on."""
        with self._lock:
            self._intervals[host] = max(self._intervals.get(host, self._interval_s), interval_s)

    def wait(self, host: str) -> None:
        """Returns when it is this caller's turn at the host."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._next.get(host, now))
            self._next[host] = turn + self._intervals.get(host, self._interval_s)
        if turn > now:
            self._sleep(turn - now)

    def ready_at(self, host: str) -> float:
        """The moment from which the host may be asked without waiting."""
        with self._lock:
            return self._next.get(host, self._clock())
