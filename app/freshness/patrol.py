"""The service's own rounds over the links: only when an operator asks for them, and by one process of a home."""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime

from app.lock import held
from app.settings import Settings
from app.store import open_store
from app.store.errors import StoreError

from .round import Manner, look_round

LOCK = "freshness.lock"
"""In the home folder: held by the one process that looks at links there."""

log = logging.getLogger("scholarsearch")


class Busy(Exception):  # noqa: N818 - named for what was found
    """Another process is looking at the links."""

    def __init__(self) -> None:
        super().__init__("another process is looking at the links of this home")


class Patrol:
    """A thread that makes a round every so many hours; the first one starts that long after the service."""

    def __init__(self, settings: Settings, hours: float) -> None:
        self._settings = settings
        self._wait_s = hours * 3600
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._walk, name="patrol", daemon=True)

    def start(self) -> None:
        """Nothing; from here on the rounds are made."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing; no link is looked at any more, but for those that a request is under way to."""
        self._stop.set()

    def _walk(self) -> None:
        while not self._stop.wait(self._wait_s):
            try:
                self._round()
            except (StoreError, OSError) as error:
                log.warning("links could not be looked at: %s", error)
            except Exception:
                log.exception("a round over the links failed")

    def _round(self) -> None:
        with held(self._settings.home / LOCK, wait=False) as mine:
            if not mine:
                return
            store = open_store(self._settings)
            try:
                manner = Manner(contact=self._settings.contact)
                tally = look_round(store, manner, lambda: datetime.now(UTC), stop=self._stop)
            finally:
                store.close()
        log.info("looked at %d links: %s", tally.looked, dict(tally.states))
