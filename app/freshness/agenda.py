"""Whose turn it is: many hosts side by side, the links of one host one after another."""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """A link to look at, and its host."""

    host: str
    url: str


class Agenda:
    """Links by host. A host that is being asked is not given out again until it is `done`. Threads may share it."""

    def __init__(self, links: Mapping[str, Iterable[str]], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Condition()
        self._waiting = {host: deque(urls) for host, urls in links.items()}
        # Hosts with many links first: they take longest.
        order = sorted(self._waiting, key=lambda host: (-len(self._waiting[host]), host))
        now = clock()
        self._ready = [(now, at, host) for at, host in enumerate(order) if self._waiting[host]]
        heapq.heapify(self._ready)
        self._given = len(order)
        self._out = 0

    def take(self) -> Turn | None:
        """The next link of a host that may be asked now, waited for; None once nothing is left, for good."""
        with self._lock:
            while self._ready or self._out:
                ahead_s = self._ready[0][0] - self._clock() if self._ready else None
                if ahead_s is None or ahead_s > 0:
                    self._lock.wait(ahead_s)
                    continue
                _, _, host = heapq.heappop(self._ready)
                self._out += 1
                return Turn(host, self._waiting[host].popleft())
            return None

    def done(self, host: str, ready_at: float) -> None:
        """Nothing; the host may be asked again from that moment on."""
        with self._lock:
            self._out -= 1
            if self._waiting[host]:
                self._given += 1
                heapq.heappush(self._ready, (ready_at, self._given, host))
            self._lock.notify_all()

    def drop(self, host: str) -> list[str]:
        """The other links of a host, which are now left alone; to be asked before it is `done`."""
        with self._lock:
            left = list(self._waiting[host])
            self._waiting[host].clear()
            return left

    def clear(self) -> None:
        """Nothing; no link is given out any more."""
        with self._lock:
            for waiting in self._waiting.values():
                waiting.clear()
            self._ready.clear()
            self._lock.notify_all()
