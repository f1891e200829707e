"""Links between records that have just been written: a thread of its own, so that no write waits for them.

A record is searchable at once and stands alone; a moment later it is one result with its twins. Every process may do
this: whoever comes second finds nothing left to compare.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from app.store.errors import StoreError
from app.store.links import link_pending
from app.turns import give_way

from .line import Line

log = logging.getLogger("scholarsearch")

POLL_S = 2.0
# Of one transaction: a writer waits for one batch at most.
_BATCH = 20
_REST_S = 0.05


class Linking:
    """Compares what is new in the store with what is there."""

    def __init__(self, line: Line, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._line = line
        self._now = now
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="linking", daemon=True)
        self._linked: Callable[[], None] = lambda: None

    def start(self, linked: Callable[[], None]) -> None:
        """Nothing; from here on `linked` is called whenever records have become part of another programme."""
        self._linked = linked
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the thread ends after the batch it is at."""
        self._stopped.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def wake(self) -> None:
        """Nothing; there is something new."""
        self._wake.set()

    def _run(self) -> None:
        give_way()
        while not self._stopped.is_set():
            self._wake.wait(POLL_S)
            self._wake.clear()
            try:
                self._catch_up()
            except StoreError:  # the follower says what is wrong with it
                self._stopped.wait(POLL_S)
            except Exception:
                log.exception("new records could not be linked")
                self._stopped.wait(POLL_S)

    def _catch_up(self) -> None:
        while not self._stopped.is_set():
            done = link_pending(self._line.store(), self._now(), batch=_BATCH, most=1)
            if done.moved:
                self._linked()
            if not done.looked:
                return
            self._stopped.wait(_REST_S)  # writers go first
