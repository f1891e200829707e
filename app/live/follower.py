"""The follower: reads what changed in the store, whoever changed it, and has the next edition made.

One thread. It is woken by writes of its own process and looks twice a second for those of others. While an edition is
being made more changes gather, and the next one takes them all. A store that cannot be read stops nothing but news.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from app.store.entry import Changed, News
from app.store.errors import StoreDamaged, StoreError, StoreFull
from app.vitals import StoreState, Vitals
from index.addition import Addition

from .compaction import Compactor
from .delta import Change, Delta
from .edition import Recipe
from .encoding import Encoding
from .keeper import Keeper
from .line import Line
from .pointer import Pointer

log = logging.getLogger("scholarsearch")

POLL_S = 0.5
# Beyond so many changed documents none is taken in before there is a new base.
MOST = 20_000
# A new base waits for the vectors of all but so many: the builder would have to make them.
_FEW_PENDING = 100
# Of the time, making editions takes at most a third: searches have the rest.
_REST = 2.0
_LONGEST_REST_S = 0.3
# A new base is made after a twenty-fourth of the store has changed, but never for a handful.
_CHANGES_PER_BASE = 24
_FEWEST_CHANGES = 250
# Vectors alone wait so long for a write to share an edition with.
_PATIENCE_S = 0.25
_LONGEST_BACKOFF_S = 10.0

Swapped = Callable[[float], None]
"""Told how many seconds the making of an edition took."""


@dataclass(slots=True)
class Parts:
    """What a follower works with. `compact_at`: so many changed documents, or fewer, are worth a new base."""

    keeper: Keeper
    line: Line
    pointer: Pointer
    encoding: Encoding
    compactor: Compactor
    compact_at: int


class Follower:
    """Keeps a keeper's edition level with the store."""

    def __init__(self, delta: Delta, parts: Parts, clock: Callable[[], float] = time.monotonic) -> None:
        self._delta = delta
        self._parts = parts
        self._clock = clock
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
        self._level_at = self._published_at = clock()
        self._is_level = True
        self._has_vectors = False
        self._failures = 0
        self._store: StoreState = "ok"
        self._since: datetime | None = None
        self.swapped: Swapped = lambda seconds: None

    def start(self) -> None:
        """Nothing; from here on the store is followed."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the thread ends after what it is doing."""
        self._stopped.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def wake(self) -> None:
        """Nothing; there is something new."""
        self._wake.set()

    def catch_up(self) -> None:
        """Nothing; what the store holds now is searchable, as far as there is room. For the thread that starts it."""
        while (news := self._news()) is not None:
            self._take(news)
            if self._is_level or len(self._delta) >= MOST:
                break
        if self._delta.sequence != self._parts.keeper.current.recipe.sequence:
            self._publish()

    @property
    def replaced(self) -> bool:
        """Whether the store is not the one that the base was built from."""
        return self._store == "replaced"

    def vitals(self) -> Vitals:
        """How far searches are behind the store."""
        recipe = self._parts.keeper.current.recipe
        behind = not self._is_level or self._store != "ok"
        return Vitals(
            sequence=recipe.sequence,
            documents=len(self._parts.keeper.current.library.snapshot),
            delta=recipe.delta,
            pending_vectors=recipe.pending,
            lag_s=round(self._clock() - self._level_at, 3) if behind else 0.0,
            store=self._store,
            since=self._since,
        )

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait(self._pause_s())
            self._wake.clear()
            if self._stopped.is_set():
                return
            try:
                self._step()
            except Exception:
                log.exception("the store could not be followed")
                self._failures += 1

    def _pause_s(self) -> float:
        """How long to wait for a word before looking again."""
        if self._failures:
            return min(math.ldexp(POLL_S, min(self._failures, 8)), _LONGEST_BACKOFF_S)
        return _PATIENCE_S if self._has_vectors else POLL_S

    def _step(self) -> None:
        """Nothing; takes in what is new and has an edition made of it."""
        changed = self._renew_base()
        self._has_vectors |= self._delta.give_vectors(self._parts.encoding.collect()) > 0
        news = self._news()
        if news is not None:
            changed |= self._take(news)
        patient = self._clock() - self._published_at < _PATIENCE_S
        if changed or (self._has_vectors and not patient):
            self._publish()
        if news is not None and self._needs_base(news):
            self._parts.compactor.start()

    def _renew_base(self) -> bool:
        base = self._parts.pointer.newer_than(self._delta.base)
        if base is None:
            return False
        self._delta = self._delta.rebased(base)
        return True

    def _news(self) -> News | None:
        # All there is room for at once: what one transaction wrote becomes visible together.
        room = max(MOST - len(self._delta), 0)
        try:
            news = self._parts.line.store().news(self._delta.sequence, room)
        except StoreError as error:
            self._failures += 1
            self._note(_state(error), error)
            return None
        self._failures = 0
        if news.clock < self._delta.sequence:
            self._note(
                "replaced", "its last change is older than the snapshot: `scholarsearch index` reads it anew"
            )
            return None
        self._note("ok", "")
        self._is_level = news.sequence == news.clock
        if self._is_level:
            self._level_at = self._clock()
        return news

    def _needs_base(self, news: News) -> bool:
        """Whether it is time for a new base."""
        if news.restored_after is not None and self._delta.base.sequence <= news.restored_after:
            return True  # what vanished with the restoration is in no list of changes
        pending = self._parts.keeper.current.recipe.pending
        return len(self._delta) >= (self._worth_a_base() if pending <= _FEW_PENDING else MOST)

    def _worth_a_base(self) -> int:
        """How many changes: every swap and search pays for those there are, and a new base for the whole store."""
        share = len(self._delta.base.snapshot.corpus.ids) // _CHANGES_PER_BASE
        return min(self._parts.compact_at, MOST, max(_FEWEST_CHANGES, share))

    def _take(self, news: News) -> bool:
        came = [change.document for change in news.changes if change.document is not None]
        settings = self._delta.base.snapshot.settings
        made = self._parts.encoding.known([Addition.of(document, settings) for document in came])
        additions = {addition.doc_id: addition for addition in made}
        for change in news.changes:
            self._delta.take(change.doc_id, _change(change, additions))
        moved = news.sequence != self._delta.sequence
        self._delta.sequence = news.sequence
        return moved

    def _publish(self) -> None:
        began = self._clock()
        self._parts.keeper.publish(Recipe.of(self._delta))
        self._parts.encoding.want(self._delta.without_vectors())
        self._published_at, self._has_vectors = self._clock(), False
        seconds = self._published_at - began
        self.swapped(seconds)
        if self._thread.is_alive():
            self._stopped.wait(min(seconds * _REST, _LONGEST_REST_S))

    def _note(self, state: StoreState, why: object) -> None:
        if state == self._store:
            return
        self._store = state
        self._since = None if state == "ok" else datetime.now(UTC)
        if state == "ok":
            log.info("the store is followed again")
        else:
            log.error("the store cannot be followed", extra={"state": state, "why": str(why)})


def _change(change: Changed, additions: dict[str, Addition]) -> Change:
    return Change(change.sequence, None if change.document is None else additions[change.doc_id])


def _state(error: StoreError) -> StoreState:
    if isinstance(error, StoreFull):
        return "full"
    return "damaged" if isinstance(error, StoreDamaged) else "unavailable"
