"""Reports of experiments, made from the log and kept for a short while: who looks often costs the service little."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from app.experiments.version import Version
from app.store import Store
from evaluation.online.record import record
from evaluation.online.report import analyse

from .evidence import design_of, evidence

FRESH_S = 30.0
_A_MOMENT = timedelta(seconds=1)
Record = dict[str, Any]


class Analyst:
    """Makes reports over the store that `store` gives. Threads may share it; it reads one log at a time."""

    def __init__(
        self,
        store: Callable[[], Store],
        now: Callable[[], datetime],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._now = now
        self._monotonic = monotonic
        self._reading = threading.Lock()
        self._made: dict[tuple[str, int], tuple[float, str, Record]] = {}

    def report(self, version: Version) -> Record:
        """The report of one version as plain JSON values, at most half a minute old. Raises StoreError."""
        place = (version.key, version.number)
        with self._reading:
            made = self._made.get(place)
            if made and self._monotonic() - made[0] < FRESH_S and made[1] == version.etag:
                return made[2]
            found = record(analyse(*self._asked(version)))
            self._made[place] = (self._monotonic(), version.etag, found)
            return found

    def _asked(self, version: Version) -> tuple[Any, Any, float]:
        design, now = design_of(version), self._now()
        ended = None if design.ended_at_s is None else datetime.fromtimestamp(design.ended_at_s, now.tzinfo)
        as_of = now if ended is None else min(now, ended)
        searches = evidence(self._store(), version, as_of + _A_MOMENT)
        last = float(searches.at_s.max()) if len(searches) else 0.0
        # Searches under way when it ended were still served by it.
        return design, searches, max(as_of.timestamp(), last, design.begun_at_s or 0.0)
