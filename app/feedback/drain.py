"""From the spool into the store: a thread that takes files nobody writes to, also those of processes that are gone."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.store import Store
from app.store.errors import StoreError

from .errors import SpoolError
from .intake import Kept, Lines, keep
from .line import value_of
from .spool import LARGEST_BYTES, Spool, closed_files, forget_drafts, taken

log = logging.getLogger("scholarsearch")
PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0


class Drain:
    """Puts what was spooled into the store that `store` opens, a batch at a time.

    kept: told of every batch, with how many of its lines could not be read.
    """

    def __init__(
        self, spool: Spool, folder: Path, store: Callable[[], Store], kept: Callable[[Kept, int], None]
    ) -> None:
        self._spool = spool
        self._folder = folder
        self._store = store
        self._kept = kept
        self._round = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feedback", daemon=True)

    def start(self) -> None:
        """Nothing; from here on the spool is drained, beginning with what others left."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the store was offered everything of this process once more."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
        with suppress(StoreError, SpoolError):  # it stays in the spool, for the next process
            self._spool.close()
            self.drain()

    def drain(self) -> int:
        """How many files were put into the store. Raises StoreError or SpoolError; nothing is lost by it."""
        with self._round:
            self._spool.turn(LARGEST_BYTES)
            done = self._take()
            self._spool.turn()  # only now: a store that takes nothing must not cost a file each time
            return done + self._take()

    def _take(self) -> int:
        done = 0
        try:
            for file in closed_files(self._folder):
                with taken(file) as content:
                    if content is not None:
                        self._keep(file, content)
                        done += 1
        except OSError as error:
            raise SpoolError(f"{self._folder}: cannot be read ({error.strerror or error})") from error
        return done

    def _keep(self, file: Path, content: bytes) -> None:
        torn = [0]
        lines = Lines.read(_values(content, torn))
        damaged = torn[0] + lines.odd
        if damaged:
            log.warning("%s: %d lines could not be read and are lost", file.name, damaged)
        self._kept(keep(self._store(), lines), damaged)

    def _run(self) -> None:
        pause_s, measured_s = 0.0, float("-inf")
        failing = False
        while not self._stopped.wait(pause_s):
            pause_s = PAUSE_S if not failing else min(2 * pause_s, _LONGEST_PAUSE_S)
            try:
                done = self.drain()
                failing = False
                if done or time.monotonic() - measured_s > _LONGEST_PAUSE_S:
                    self._spool.measure()
                    forget_drafts(self._folder)
                    measured_s = time.monotonic()
            except (StoreError, SpoolError) as error:
                if not failing:
                    log.warning("feedback waits in the spool: %s", error)
                failing = True
            except Exception:
                log.exception("feedback could not be put into the store")
                failing = True


def _values(content: bytes, torn: list[int]) -> Iterator[Any]:
    """What the whole lines hold; the others are counted."""
    for line in content.splitlines(keepends=True):
        if line == b"\n":
            continue
        try:
            yield value_of(line)
        except ValueError:
            torn[0] += 1
