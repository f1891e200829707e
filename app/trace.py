"""How long each stage of one request took. Stages do not measure themselves: the pipeline wraps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

Clock = Callable[[], float]
"""A monotonic clock in seconds, `time.perf_counter` in service."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The stages in the order they ran, in milliseconds, and what went less well: (stage, reason)."""

    stages: tuple[tuple[str, float], ...]
    total_ms: float
    degraded: tuple[tuple[str, str], ...] = ()


class StageClock:
    """Collects the stages of one request."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock()
        self._stages: list[tuple[str, float]] = []
        self._degraded: list[tuple[str, str]] = []

    @property
    def elapsed_ms(self) -> float:
        """Since this clock was made."""
        return (self._clock() - self._began) * 1e3

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measures the block as stage `name`."""
        began = self._clock()
        try:
            yield
        finally:
            self._stages.append((name, (self._clock() - began) * 1e3))

    def degrade(self, stage: str, reason: str) -> None:
        """Nothing; the answer will say that `stage` gave less, and why."""
        self._degraded.append((stage, reason))

    def trace(self) -> Trace:
        """What was measured so far."""
        return Trace(tuple(self._stages), self.elapsed_ms, tuple(self._degraded))
