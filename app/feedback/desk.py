"""Where the service hands in what it served and what callers send; nothing here waits for the store to take it."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select

from app.store import Store
from app.store.batch import IDS_AT_ONCE
from app.store.engine import reading
from app.store.errors import StoreError
from app.store.tables import EVENTS

from .errors import FeedbackError, SpoolError, SpoolFull
from .event import Event
from .exposure import Exposure
from .intake import EVENT, EXPOSURE
from .line import line_of
from .spool import Spool

log = logging.getLogger("scholarsearch")
_REMEMBERED = 50_000
_SAY_AGAIN_S = 60.0
# How long a store that could not be asked is left alone: waiting for it would hold up every caller.
_ASK_AGAIN_S = 30.0

Status = Literal["accepted", "known", "contradicted"]
Loss = Literal["full", "error"]
"""Why something could not be spooled: too much waits for the store, or the disk takes nothing."""


@dataclass(slots=True)
class _Seen:
    """An event that this process has taken: its content, and up to where the spool has to reach the disk."""

    digest: str
    place: int


class Desk:
    """Takes exposures and events. Threads may share it.

    store: an open store for looking up events, or None while there is none. lost: told of each exposure that could
    not be kept.
    """

    def __init__(self, spool: Spool, store: Callable[[], Store | None], lost: Callable[[Loss], None]) -> None:
        self._spool = spool
        self._store = store
        self._lost = lost
        self._taking = threading.Lock()
        self._seen: OrderedDict[str, _Seen] = OrderedDict()
        self._said_s = float("-inf")
        self._blind_until_s = float("-inf")

    def expose(self, exposure: Exposure) -> bool:
        """Whether what was served is kept, whatever becomes of this process; a loss is counted and logged."""
        try:
            self._spool.append(line_of([EXPOSURE, exposure.plain()]))
        except FeedbackError as error:
            self.missed(error)
            return False
        return True

    def missed(self, error: FeedbackError) -> None:
        """Nothing; an answer was served and is not logged, which is counted and said in the log once a minute."""
        self._lost("full" if isinstance(error, SpoolFull) else "error")
        now = time.monotonic()
        if now - self._said_s > _SAY_AGAIN_S:
            self._said_s = now
            log.error("answers are served and not logged: %s", error)

    def receive(self, events: Sequence[Event], received_s: float) -> list[Status]:
        """What became of each event, in order; those accepted or known are on the disk. Raises SpoolError.

        An event of a known id and other content is refused, the others are kept all the same. Two processes that are
        sent one id with different contents within a second accept both; the first to reach the store stays.
        """
        stored = self._stored({event.event_id for event in events})
        with self._taking:
            statuses, fresh = self._sorted(events, stored)
            place = 0
            if fresh:
                lines = b"".join(line_of([EVENT, event.plain(), received_s]) for event in fresh)
                place = self._spool.append(lines)
                for event in fresh:
                    self._seen[event.event_id] = _Seen(event.digest, place)
                while len(self._seen) > _REMEMBERED:
                    self._seen.popitem(last=False)
            pending = [self._seen[event.event_id].place for event in events if event.event_id in self._seen]
        if pending:
            self._sync(max(pending), [event.event_id for event in fresh])
        return statuses

    def _sorted(self, events: Sequence[Event], stored: dict[str, str]) -> tuple[list[Status], list[Event]]:
        """The status of each event, and those that are new."""
        statuses: list[Status] = []
        fresh: dict[str, Event] = {}
        for event in events:
            digest = event.digest
            if event.event_id in fresh:
                known = fresh[event.event_id].digest
            elif event.event_id in self._seen:
                known = self._seen[event.event_id].digest
            else:
                known = stored.get(event.event_id, "")
            if not known:
                fresh[event.event_id] = event
            statuses.append("accepted" if not known else "known" if known == digest else "contradicted")
        return statuses, list(fresh.values())

    def _sync(self, place: int, fresh: Sequence[str]) -> None:
        try:
            self._spool.sync(place)
        except SpoolError:
            with self._taking:  # not promised: whoever sends them again is to be heard
                for event_id in fresh:
                    self._seen.pop(event_id, None)
            raise

    def _stored(self, event_ids: set[str]) -> dict[str, str]:
        """The digests of those that are in the store; none of them while it cannot be asked."""
        found: dict[str, str] = {}
        if time.monotonic() < self._blind_until_s or (store := self._store()) is None:
            return found
        ids = sorted(event_ids)
        try:
            with reading(store.engine) as connection:
                for start in range(0, len(ids), IDS_AT_ONCE):
                    wanted = select(EVENTS.c.event_id, EVENTS.c.digest)
                    wanted = wanted.where(EVENTS.c.event_id.in_(ids[start : start + IDS_AT_ONCE]))
                    found.update((key, digest) for key, digest in connection.execute(wanted))
        except StoreError:
            self._blind_until_s = time.monotonic() + _ASK_AGAIN_S
        return found
