"""Searches that come when they come, whoever is still being served: an open crowd, measured from when each was due."""

from __future__ import annotations

import http.client
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.bench.live.service import Caller

_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Served:
    """One search. due, done: seconds on the clock. status: None = there was no answer. rung: what served it."""

    due: float
    done: float
    status: int | None
    rung: str | None
    degraded: tuple[str, ...]

    @property
    def latency_ms(self) -> float:
        """From when it was due: who had to wait for a free connection has waited."""
        return (self.done - self.due) * 1e3

    @property
    def failed(self) -> bool:
        """Neither answered nor refused in order."""
        return self.status is None or self.status >= 500


class Crowd:
    """Sends the searches that are due over so many connections; a context, at whose end all have been answered."""

    def __init__(
        self,
        port: int,
        questions: Sequence[str],
        connections: int = 32,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.served: list[Served] = []
        self._port, self._questions, self._clock = port, questions, clock
        self._due: queue.SimpleQueue[tuple[int, float] | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._send, daemon=True) for _ in range(connections)]

    def __enter__(self) -> Crowd:
        """The crowd, waiting to be sent."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing; everybody was answered."""
        for _thread in self._threads:
            self._due.put(None)
        for thread in self._threads:
            thread.join()

    def send(self, offsets: Sequence[float]) -> None:
        """Nothing; returns when the last search was due. offsets: seconds from now, ascending."""
        began = self._clock()
        for at, offset in enumerate(offsets):
            if (wait := began + offset - self._clock()) > 0:
                time.sleep(wait)
            self._due.put((at, began + offset))

    def _send(self) -> None:
        caller = Caller(self._port)
        while (job := self._due.get()) is not None:
            at, due = job
            question = self._questions[at % len(self._questions)]
            status: int | None = None
            body: Any = {}
            try:
                reply = caller.search(question, rerank={"enabled": True, "depth": _DEPTH})
                status, body = reply.status, reply.body
            except (OSError, http.client.HTTPException, ValueError):
                pass
            told = body.get("served") or {}
            degraded = tuple(f"{one['stage']}: {one['reason']}" for one in body.get("degraded") or ())
            self.served.append(Served(due, self._clock(), status, told.get("precision"), degraded))
        caller.close()


def capacity(port: int, questions: Sequence[str], clients: int, seconds: float) -> float:
    """Searches a second that so many clients get answered who ask one after another."""
    done: list[int] = []
    until = time.perf_counter() + seconds

    def ask(first: int) -> None:
        caller, count = Caller(port), 0
        while time.perf_counter() < until:
            caller.search(
                questions[(first + count) % len(questions)], rerank={"enabled": True, "depth": _DEPTH}
            )
            count += 1
        done.append(count)
        caller.close()

    threads = [threading.Thread(target=ask, args=(7 * at,)) for at in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - began)
