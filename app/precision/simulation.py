"""The ladder over a made-up day: arrivals, a queue before engines of given speeds, and what the ladder makes of it.

The queue is a fluid one: what comes waits until the workers, at the speed of the rung that serves, have worked off
what came before. Everything the ladder sees passes through the same windows as in service. Nothing is measured here: it
shows what a policy does, not how fast an engine is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from models.agreement import Comparisons
from models.ladder import Rules, Signals, State, begin
from models.precision import step
from models.rung import RUNGS, Rung
from models.traffic import Traffic

from .day import Counts
from .record import rounded, state_line, step_line

_TOP = 5


@dataclass(frozen=True, slots=True)
class Machine:
    """workers: searches at the same time. ms: of one search, by rung. agreement: of its top 5, by rung.

    budget_ms: who waits longer is refused. shadow: the share of searches that is compared. adapter_at: the second of
    the day at which a new adapter comes, whose gradient then settles within some `settling_s`.
    """

    workers: int = 8
    ms: Mapping[Rung, float] = field(default_factory=lambda: {"fp16": 80.0, "int8": 50.0, "int4": 40.0})
    agreement: Mapping[Rung, float] = field(default_factory=lambda: {"fp16": 1.0, "int8": 0.98, "int4": 0.95})
    budget_ms: float = 1000.0
    shadow: float = 0.02
    adapter_at: int = 4 * 3600
    settling_s: float = 1800.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """searches, refused: of the whole day. state: of the ladder at its end."""

    searches: int
    refused: int
    state: State


class _Service:
    """The queue and what is known of it, second by second."""

    def __init__(self, machine: Machine, rng: np.random.Generator) -> None:
        self._machine, self._rng = machine, rng
        self._backlog = 0.0
        self._traffic = Traffic(0.0)
        self._comparisons = Comparisons()
        self._norms: list[float] = []
        self.refused = 0

    def second(self, now: int, come: int, rung: Rung) -> Signals:
        """What is seen after the second `now`, in which `come` searches came and `rung` served."""
        machine = self._machine
        capacity = machine.workers * 1e3 / machine.ms[rung]
        for at in range(come):
            delay_ms = 1e3 * self._backlog / capacity
            refused = delay_ms > machine.budget_ms
            self.refused += refused
            self._backlog += not refused
            latency_ms = min(delay_ms, machine.budget_ms) + machine.ms[rung] * self._rng.gamma(20.0, 0.05)
            # Within the second they come evenly, and the workers go on meanwhile.
            self._backlog = max(self._backlog - capacity / come, 0.0)
            self._traffic.seen(now + at / come, latency_ms, delay_ms, refused)
        if not come:
            self._backlog = max(self._backlog - capacity, 0.0)
        self._compare(now, come, rung)
        return self._signals(now + 1)

    def _compare(self, now: int, come: int, rung: Rung) -> None:
        other: Rung = rung if rung != RUNGS[0] else RUNGS[1]
        for _ in range(self._rng.binomial(come, self._machine.shadow)):
            share = self._rng.binomial(_TOP, self._machine.agreement[other]) / _TOP
            self._comparisons.add(other, share, now)

    def _signals(self, now: int) -> Signals:
        since = now - self._machine.adapter_at
        new = 0.6 * np.exp(-since / (self._machine.settling_s / 3)) if since >= 0 else 0.0
        if now % 10 == 0:
            self._norms = [*self._norms[-11:], 1.45 + new * self._rng.uniform(0.6, 1.4)]
        seen = self._traffic.reading(now)
        return Signals(
            grad_norm=self._norms[-1] if self._norms else None,
            grad_norm_std=float(np.std(self._norms, ddof=1)) if len(self._norms) == 12 else None,
            qps=seen.qps,
            qps_std=seen.qps_std,
            queue_delay_ms=seen.queue_delay_ms,
            budget_misses=seen.budget_misses,
            latency_p99_ms=seen.latency_p99_ms,
            agreement=self._comparisons.reading(now),
        )


def simulate(
    counts: Counts,
    rules: Rules,
    machine: Machine,
    seed: int,
    write: Callable[[str], object],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """The outcome of a day of `counts` searches a second, its record handed to `write` line by line."""
    service = _Service(machine, np.random.default_rng(seed))
    state = begin(rules, tuple(rung for rung in RUNGS if rung in machine.ms), 0.0)
    write(state_line(state))
    for now, come in enumerate(counts.tolist()):
        signals = rounded(service.second(now, come, state.rung))
        state = step(state, signals, now + 1.0)
        write(step_line(signals, state, None))
        if now % 600 == 0:
            progress(now, len(counts))
    return Outcome(int(counts.sum()), service.refused, state)
