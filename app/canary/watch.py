"""The canary's own thread: a round every so many minutes, off the path of every request."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from app.answerer import Answerer
from app.errors import ServiceError

from .memory import Memory, Verdict

log = logging.getLogger("scholarsearch")
# Between two queries the thread is idle for this long, so that a round is a few per cent of one processor.
PAUSE_S = 0.5


class Canary:
    """A thread that takes readings; the first one a whole interval after the start, when everything is warm.

    folder: the judged queries; None = those that are shipped.
    """

    def __init__(
        self,
        folder: Path | None,
        home: Path,
        minutes: float,
        answerer: Callable[[], Answerer],
        tell: Callable[[Verdict], None],
        pause_s: float = PAUSE_S,
    ) -> None:
        self._folder = folder
        self._memory = Memory(home)
        self._wait_s = minutes * 60
        self._answerer = answerer
        self._tell = tell
        self._pause_s = pause_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="canary", daemon=True)

    def start(self) -> None:
        """Nothing; from here on the rounds are made."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the round under way, if any, ends after its present query."""
        self._stop.set()

    def _watch(self) -> None:
        while not self._stop.wait(self._wait_s):
            try:
                self._round()
            except _Stopped:
                return
            except (ServiceError, ValueError, OSError) as error:
                log.warning("the canary could not sing: %s", error)
            except Exception:
                log.exception("a round of the canary failed")

    def _round(self) -> None:
        from .reading import take_reading  # here, since judging loads libraries that a search does without
        from .roster import SHIPPED, read_roster

        roster = read_roster(self._folder or SHIPPED)
        reading = take_reading(self._answerer(), roster, datetime.now(UTC), breathe=self._breathe)
        verdict = self._memory.weigh(reading)
        self._tell(verdict)
        log.log(logging.WARNING if verdict.alarm else logging.INFO, "canary: %s", verdict.sentence())

    def _breathe(self) -> None:
        if self._stop.wait(self._pause_s):
            raise _Stopped


class _Stopped(Exception):  # noqa: N818 - named for what happened
    """The service is closing."""
