"""The keeper of what is searched: one edition now, and the recent ones for those who page through them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

from .edition import Edition, Recipe

# A cursor outlives so many swaps, and so many seconds after its edition was replaced.
EDITIONS = 512
AGE_S = 900.0
# Older editions that are held ready; the others are made again from their recipe when somebody turns a page.
_READY = 2


class Keeper:
    """Holds the current edition. Reading it takes no lock; putting another in its place is one assignment."""

    def __init__(
        self,
        first: Recipe,
        make: Callable[[Recipe], Edition],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make = make
        self._clock = clock
        self._lock = threading.Lock()
        self._making = threading.Lock()
        self._recipes: OrderedDict[str, tuple[float, Recipe]] = OrderedDict()
        self._ready: OrderedDict[str, Edition] = OrderedDict()
        self._waiting: list[tuple[int, Future[None]]] = []
        self._current = make(first)

    @property
    def current(self) -> Edition:
        """What a new search reads."""
        return self._current

    def publish(self, recipe: Recipe) -> Edition:
        """The edition of `recipe`, which every search that begins from now on reads."""
        edition = self._make(recipe)
        with self._lock:
            self._remember(self._current)
            self._current = edition
            reached = [turn for sequence, turn in self._waiting if sequence <= recipe.sequence]
            self._waiting = [
                (at, turn) for at, turn in self._waiting if at > recipe.sequence and not turn.done()
            ]
        _tell(reached)
        return edition

    def pin(self, fingerprint: str) -> Edition | None:
        """The edition whose snapshot has that fingerprint: the current or a recent one, else None."""
        with self._lock:
            current = self._current
            if current.library.snapshot.fingerprint == fingerprint:
                return current
            self._forget()
            if fingerprint in self._ready:
                self._ready.move_to_end(fingerprint)
                return self._ready[fingerprint]
            known = self._recipes.get(fingerprint)
        if known is None:
            return None
        with self._making:  # one at a time: making an edition is the work of several searches
            edition = self._ready.get(fingerprint) or self._make(known[1])
        with self._lock:
            self._keep_ready(fingerprint, edition)
        return edition

    def seen(self, sequence: int) -> Future[None]:
        """Done once searches see the store's change of that number."""
        turn: Future[None] = Future()
        with self._lock:
            if self._current.recipe.sequence < sequence:
                self._waiting = [(at, other) for at, other in self._waiting if not other.done()]
                self._waiting.append((sequence, turn))
                return turn
        turn.set_result(None)
        return turn

    def _remember(self, edition: Edition) -> None:
        """Nothing; an edition that is being replaced can be pinned for a while."""
        fingerprint = edition.library.snapshot.fingerprint
        self._recipes.pop(fingerprint, None)
        self._recipes[fingerprint] = (self._clock(), edition.recipe)
        self._keep_ready(fingerprint, edition)
        self._forget()

    def _keep_ready(self, fingerprint: str, edition: Edition) -> None:
        self._ready[fingerprint] = edition
        self._ready.move_to_end(fingerprint)
        while len(self._ready) > _READY:
            self._ready.popitem(last=False)

    def _forget(self) -> None:
        oldest = self._clock() - AGE_S
        while self._recipes:
            fingerprint, (replaced_at, _) = next(iter(self._recipes.items()))
            if len(self._recipes) <= EDITIONS and replaced_at >= oldest:
                break
            del self._recipes[fingerprint]
            self._ready.pop(fingerprint, None)


def _tell(turns: list[Future[None]]) -> None:
    for turn in turns:
        with suppress(InvalidStateError):  # its waiter gave up in this very moment
            turn.set_result(None)
