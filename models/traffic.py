"""How many searches come, how unevenly, how long they wait: what the ladder knows of the traffic.

Searches are counted by whole seconds. Clocks are arguments; any that only goes forward will do.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

_KEPT_A_SECOND = 500


@dataclass(frozen=True, slots=True)
class TrafficReading:
    """qps, qps_std: mean and sample standard deviation of searches a second; None until the window was watched once.

    The others are of the last few seconds. queue_delay_ms: what nine in ten waited at most, 0 when nobody came.
    budget_misses: the share that was refused, or answered with less, for want of time. latency_p99_ms: None = nobody.
    """

    qps: float | None
    qps_std: float | None
    queue_delay_ms: float
    budget_misses: float
    latency_p99_ms: float | None


@dataclass(slots=True)
class _Second:
    at: int
    searches: int = 0
    misses: int = 0
    delays_ms: list[float] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)


class Traffic:
    """Counts searches; safe to use from several threads. began: the clock's reading at the start.

    window_s: whole seconds of qps and qps_std. recent_s: of the rest, the present second not among them.
    """

    def __init__(self, began: float, window_s: int = 60, recent_s: int = 10) -> None:
        self._began = began
        self._window_s, self._recent_s = window_s, recent_s
        self._seconds: deque[_Second] = deque(maxlen=window_s + 2)
        self._lock = Lock()

    def seen(self, at: float, latency_ms: float, delay_ms: float, missed: bool) -> None:
        """Nothing; a search ended at `at`."""
        second = math.floor(at)
        with self._lock:
            if not self._seconds or self._seconds[-1].at < second:
                self._seconds.append(_Second(second))
            # A thread that was held up between its clock and here counts in the second that is open.
            current = self._seconds[-1]
            current.searches += 1
            current.misses += missed
            if len(current.delays_ms) < _KEPT_A_SECOND:
                current.delays_ms.append(delay_ms)
                current.latencies_ms.append(latency_ms)

    def reading(self, now: float) -> TrafficReading:
        """What the last whole seconds say."""
        end = math.floor(now)
        with self._lock:
            window = [one for one in self._seconds if end - self._window_s <= one.at < end]
            recent = [one for one in window if one.at >= end - self._recent_s]
            delays = [delay for one in recent for delay in one.delays_ms]
            latencies = [latency for one in recent for latency in one.latencies_ms]
            searches, misses = sum(one.searches for one in recent), sum(one.misses for one in recent)
            counts = [one.searches for one in window]
        watched = end - self._began >= self._window_s
        counts += [0] * (self._window_s - len(counts))
        mean, std = _spread(counts) if watched else (None, None)
        return TrafficReading(
            mean,
            std,
            queue_delay_ms=quantile(delays, 0.9) or 0.0,
            budget_misses=misses / searches if searches else 0.0,
            latency_p99_ms=quantile(latencies, 0.99),
        )


def quantile(values: Sequence[float], share: float) -> float | None:
    """The smallest of `values` that at least that share of them do not exceed; None of none."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


def _spread(counts: Sequence[int]) -> tuple[float, float]:
    mean = sum(counts) / len(counts)
    return mean, math.sqrt(sum((count - mean) ** 2 for count in counts) / max(len(counts) - 1, 1))
