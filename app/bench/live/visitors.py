"""Clients that search while something else is going on."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Sequence

from .service import Caller


class Visitors:
    """So many clients, each with a connection and a thread, asking one question after another until they are stopped.

    pause_ms: the longest time a client thinks before it asks again.
    """

    def __init__(self, port: int, questions: Sequence[str], clients: int, pause_ms: float, seed: int) -> None:
        self.durations_ms: list[float] = []
        self.failures: list[str] = []
        self.degraded = 0
        self._port = port
        self._questions = questions
        self._pause_ms = pause_ms
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._visit, args=(random.Random(seed + at),), daemon=True)
            for at in range(clients)
        ]

    def __enter__(self) -> Visitors:
        """The visitors, who have begun."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing; everybody has left."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _visit(self, rng: random.Random) -> None:
        caller = Caller(self._port)
        while not self._stopped.is_set():
            question = rng.choice(self._questions)
            began = time.perf_counter()
            try:
                reply = caller.search(question)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.failures.append(f"{type(error).__name__}: {error}")
                continue
            self.durations_ms.append((time.perf_counter() - began) * 1000)
            if reply.status != 200:
                self.failures.append(f"{reply.status}: {reply.body.get('detail', '')}")
            elif reply.body["degraded"]:
                self.degraded += 1
            self._stopped.wait(rng.random() * self._pause_ms / 1000)
        caller.close()
