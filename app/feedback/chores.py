"""What is done beside: the live figures every few seconds, and once a day what is too old is taken away."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from app.store import Store
from app.store.errors import StoreError

from .figures import Figures, live_figures
from .forgetting import purge

log = logging.getLogger("scholarsearch")
FIGURES_S = 15.0
_PURGE = timedelta(days=1)
Tell = Callable[[Mapping[tuple[str, str], Figures]], None]


class Chores:
    """A thread over the store that `store` gives. retention_days: None keeps everything."""

    def __init__(
        self,
        store: Callable[[], Store],
        retention_days: int | None,
        tell: Tell,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._retention_days = retention_days
        self._tell = tell
        self._now = now
        self._purged_at: datetime | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feedback-chores", daemon=True)

    def start(self) -> None:
        """Nothing; from here on they are done."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the one under way is finished."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def do(self) -> None:
        """Nothing; the figures are told, and what is too old is gone. Raises StoreError."""
        store, now = self._store(), self._now()
        if self._retention_days is not None and (self._purged_at is None or now - self._purged_at >= _PURGE):
            gone = purge(store, now - timedelta(days=self._retention_days))
            self._purged_at = now
            if gone.searches or gone.events:
                log.info("%d searches and %d events are too old and gone", gone.searches, gone.events)
        self._tell(live_figures(store, now))

    def _run(self) -> None:
        pause_s, failing = 1.0, False
        while not self._stopped.wait(pause_s):
            pause_s = FIGURES_S
            try:
                self.do()
                failing = False
            except StoreError as error:
                if not failing:
                    log.warning("the figures of feedback stay as they were: %s", error)
                failing = True
            except Exception:
                log.exception("the figures of feedback could not be made")
