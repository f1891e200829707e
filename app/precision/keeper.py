"""The ladder while it serves: gathers the signals, takes one step a second, and hands each search its judge.

A search is given one judge and keeps it to its end, so that a switch falls between searches and never into one. The
engines of all rungs stay open; what was left can serve again at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from app.judging import LateJudge
from app.reranking import Judge
from models.agreement import Comparisons
from models.health import Device
from models.ladder import Signals, State, begin, relaid
from models.precision import serves, step
from models.rung import RUNGS, Rung
from models.selftest import ProbeList, Verdict, on_ladder
from models.traffic import Traffic

from .complexity import complexity
from .gradient import Gradient
from .pin import Pin
from .proving import Proving
from .record import Record, rounded
from .report import report, untested
from .setup import Setup
from .shadow import Shadow
from .week import Week

log = logging.getLogger("scholarsearch")

_EVERY_S = 1.0
_RECALIBRATION_EVERY = 600


class GradientSource(Protocol):
    """Where the gradient's norm comes from."""

    def reading(self, now: float) -> Gradient:
        """The norm and its deviation over the window."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a keeper leans on.

    lists: probe lists for the self-test, of the queries given or of the shipped ones. close: called at the end.
    begun: called when a search begins to be reranked.
    """

    judges: LateJudge
    lists: Callable[[Sequence[str]], Sequence[ProbeList]]
    gradient: GradientSource
    device: Device
    record: Record | None = None
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    close: Callable[[], None] = lambda: None
    begun: Callable[[], None] = lambda: None


class Keeper:
    """A `Judges` whose rung the ladder decides. Safe to use from several threads."""

    def __init__(self, setup: Setup, parts: Parts) -> None:
        self._setup, self._parts = setup, parts
        self._pin = Pin(setup.folder, setup.pin)
        self._traffic = Traffic(parts.clock())
        self._comparisons = Comparisons()
        self._week = Week()
        self._shadow = Shadow(setup.shadow, self._known, self._pair, self._comparisons, parts.clock)
        self._lock = threading.RLock()
        self._state = begin(setup.rules, RUNGS[:1], parts.clock())
        self._signals = Signals()
        self._verdicts = untested(RUNGS)
        self._left_since = False
        self._proving = Proving(parts.judges, parts.lists, self.take, parts.clock)
        self._stopped = threading.Event()
        self.switched: Callable[[Rung, Rung, str], None] = lambda old, new, reason: None
        """Told of every move; the metrics count them."""

    # --- searches ---------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Nothing; from here on the engines are opened and tested, and the ladder moves."""
        if self._parts.record is not None:
            self._parts.record.begin(self._state)
        self._shadow.begin()
        self._proving.begin()
        threading.Thread(target=self._watch, name="ladder", daemon=True).start()

    def pick(self, rung: Rung | None = None, floor: Rung = "int4", text: str = "") -> Judge | None:
        """The judge of one search: on the rung named, else on the one that serves now."""
        self._parts.begun()
        if rung is not None:
            return self._proving.judges.get(rung)
        state = self._state
        hard = complexity(text) if text and state.rung != state.rungs[0] else 0.0
        judges = self._proving.judges
        judge = judges.known(serves(state, floor, hard)) or judges.get()
        self._week.asked(text, self._parts.clock())
        return (
            replace(judge, sample=self._shadow.offer)
            if judge is not None and self._shadow.chosen()
            else judge
        )

    def seen(self, elapsed_ms: float, queue_ms: float, missed: bool) -> None:
        """Nothing; a search was answered or refused. missed: it was refused, or got less, for want of time."""
        self._traffic.seen(self._parts.clock(), elapsed_ms, queue_ms, missed)

    # --- the operator -----------------------------------------------------------------------------------

    def report(self) -> dict[str, Any]:
        """The answer of `GET /v1/precision`."""
        with self._lock:
            state, signals, verdicts = self._state, self._signals, self._verdicts
        told = report(state, signals, verdicts, self._parts.clock(), self._parts.now())
        record = self._parts.record
        return told | {
            "shadow": {"share": self._setup.shadow, "dropped": self._shadow.dropped},
            "record": None if record is None else {"file": record.path.name, "lost": record.lost},
            "tested_on": self._proving.tested_on,
        }

    def pin(self, rung: Rung | None) -> None:
        """Nothing; the ladder goes to `rung` and stays, or with None decides for itself again.

        Raises OSError when the decision cannot be kept.
        """
        self._pin.write(rung)
        with self._lock:
            for _ in RUNGS:
                self.tick()

    @property
    def state(self) -> State:
        """Where the ladder stands."""
        return self._state

    @property
    def signals(self) -> Signals:
        """What moved it last."""
        return self._signals

    # --- the ladder's own time --------------------------------------------------------------------------

    def tick(self) -> None:
        """Nothing; one step of the ladder."""
        with self._lock:
            now = self._parts.clock()
            signals, before = self._observed(now), self._state
            state = step(before, signals, now)
            self._state, self._signals = state, signals
            if self._parts.record is not None:
                self._parts.record.step(signals, state, self._parts.now())
        if state.rung != before.rung:
            log.info("rung", extra={"from": before.rung, "to": state.rung, "reason": state.reason})
            self.switched(before.rung, state.rung, state.reason)
        for one in state.quarantines:
            if one not in before.quarantines and not one.lifted:
                # What brings it back has to be of later searches.
                self._comparisons.forget(one.rung)
                self._left_since = True
        if state.reloads != before.reloads:
            log.warning("the device was reset: its engines are loaded again")
            self._comparisons.forget()
            self._proving.reload()

    def close(self) -> None:
        """Nothing; the ladder stands still."""
        self._stopped.set()
        self._proving.close()
        self._shadow.close()
        self._parts.close()
        if self._parts.record is not None:
            self._parts.record.close()

    def _observed(self, now: float) -> Signals:
        traffic, gradient = self._traffic.reading(now), self._parts.gradient.reading(now)
        return rounded(
            Signals(
                gradient.norm,
                gradient.std,
                traffic.qps,
                traffic.qps_std,
                traffic.queue_delay_ms,
                traffic.budget_misses,
                traffic.latency_p99_ms,
                self._comparisons.reading(now),
                self._parts.device.read(),
                self._pin.read(),
            )
        )

    def take(self, verdicts: tuple[Verdict, ...]) -> None:
        """Nothing; the ladder has the rungs that passed."""
        with self._lock:
            self._verdicts, self._left_since = verdicts, False
            before, rungs = self._state, on_ladder(verdicts) or RUNGS[:1]
            if rungs == before.rungs:
                return
            self._state = relaid(before, rungs, self._parts.clock())
            if self._parts.record is not None:
                self._parts.record.begin(self._state)
        if self._state.rung != before.rung:
            self.switched(before.rung, self._state.rung, self._state.reason)

    def _watch(self) -> None:
        ticks = 0
        while not self._stopped.wait(_EVERY_S):
            try:
                self.tick()
                ticks += 1
                if ticks % _RECALIBRATION_EVERY == 0:
                    now = self._parts.clock()
                    self._proving.renew(self._week.frequent(now), self._left_since, now)
            except Exception:
                log.exception("the ladder missed a step")

    def _known(self, rung: Rung) -> Judge | None:
        return self._proving.judges.known(rung)

    def _pair(self, served: Rung) -> tuple[Rung, Rung] | None:
        """For a search served on that rung: which rung is compared, and on which it is scored for that."""
        state = self._state
        if served != state.rungs[0]:
            return served, state.rungs[0]
        absent = [one.rung for one in state.quarantines if not one.lifted]
        below = [rung for rung in state.usable if rung != served]
        chosen = next(iter([*absent, *below]), None)
        return None if chosen is None else (chosen, chosen)
