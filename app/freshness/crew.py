"""A few threads that look at links, host by host; what they see is given out as it comes."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

from app.store.sighting import Known, Sighting

from .agenda import Agenda, Turn
from .errors import Refused
from .place import place

SILENT_TIMES = 3
"""So often in a row a host may give no answer; its other links then wait for the next check."""
_POLL_S = 0.5

Look = Callable[[str, Known], Sighting]


@dataclass(frozen=True, slots=True)
class Result:
    """One link and what was seen of it; None when it was left for the next check because of its host."""

    url: str
    sighting: Sighting | None


@dataclass(slots=True)
class Crew:
    """Threads that share an agenda. ready_at: the moment from which a host may be asked again, by `clock`."""

    look: Look
    ready_at: Callable[[str], float]
    threads: int
    clock: Callable[[], float] = time.monotonic
    _silent: dict[str, int] = field(default_factory=dict)

    def results(self, due: Mapping[str, Known]) -> Generator[Result | None]:
        """A result for every link that is due, in the order of their coming; None now and then, while none comes.

        Closing the iterator ends the threads after the link that each is at.
        """
        agenda = Agenda(_by_host(due), self.clock)
        told: queue.SimpleQueue[Result | BaseException | None] = queue.SimpleQueue()
        working = max(1, min(self.threads, len(due)))
        for at in range(working):
            work = threading.Thread(target=self._work, args=(agenda, due, told), daemon=True)
            work.name = f"links-{at}"
            work.start()
        try:
            while working:
                try:
                    result = told.get(timeout=_POLL_S)
                except queue.Empty:
                    yield None
                    continue
                if isinstance(result, BaseException):
                    raise result
                if result is None:
                    working -= 1
                else:
                    yield result
        finally:
            agenda.clear()

    def _work(
        self,
        agenda: Agenda,
        due: Mapping[str, Known],
        told: queue.SimpleQueue[Result | BaseException | None],
    ) -> None:
        try:
            while (turn := agenda.take()) is not None:
                sighting = self.look(turn.url, due[turn.url])
                told.put(Result(turn.url, sighting))
                if self._is_tiresome(turn, sighting):
                    for url in agenda.drop(turn.host):
                        told.put(Result(url, None))
                agenda.done(turn.host, self.ready_at(turn.host))
            told.put(None)
        except BaseException as error:  # a fault of ours: whoever waits for the results has to hear of it
            told.put(error)

    def _is_tiresome(self, turn: Turn, sighting: Sighting) -> bool:
        """Whether a host has asked to be left alone, or has not answered for some time."""
        # One thread at a time is at a host, so its count needs no lock.
        self._silent[turn.host] = self._silent.get(turn.host, 0) + 1 if sighting.state == "unreachable" else 0
        return sighting.busy or self._silent[turn.host] >= SILENT_TIMES


def _by_host(urls: Mapping[str, Known]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for url in urls:
        try:
            host = place(url).host
        except Refused:
            host = ""  # is refused without asking anybody
        found.setdefault(host, []).append(url)
    return found
