"""The parts of feedback put together for one service."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from app.store import Store

from .allowance import Allowance
from .chores import Chores, Tell
from .desk import Desk, Loss
from .drain import Drain
from .intake import Kept
from .pseudonym import Pseudonyms
from .spool import Spool

FOLDER = "feedback"
_SPOOL = "spool"


class Witness(Protocol):
    """Is told what becomes of feedback, to show it."""

    def lost(self, why: Loss) -> None:
        """An answer was served and could not be logged."""

    def kept(self, kept: Kept, damaged: int) -> None:
        """A batch is in the store; so many of its lines could not be read."""

    def watch_spool(self, held_bytes: Callable[[], int]) -> None:
        """How much waits for the store, asked whenever it is looked at."""

    @property
    def figures(self) -> Tell:
        """Takes the live figures."""


class StoreLater:
    """The store, opened when it is first needed and tried again when it could not be."""

    def __init__(self, opened: Callable[[], Store]) -> None:
        self._opened = opened
        self._store: Store | None = None
        self._opening = threading.Lock()

    def __call__(self) -> Store:
        """The store. Raises StoreError."""
        with self._opening:
            if self._store is None:
                self._store = self._opened()
            return self._store

    def close(self) -> None:
        """Nothing; it may be opened again."""
        with self._opening:
            if self._store is not None:
                self._store.close()
            self._store = None

    def if_open(self) -> Store | None:
        """The store, if it was opened; never waits for it."""
        return self._store


@dataclass(frozen=True, slots=True)
class Feedback:
    """desk: where things are handed in. allowance: of callers without a key. pseudonyms: ids as they are kept."""

    desk: Desk
    allowance: Allowance
    pseudonyms: Pseudonyms
    drain: Drain
    chores: Chores
    store: StoreLater

    def start(self) -> None:
        """Nothing; from here on what is handed in reaches the store, and what others left behind."""
        self.drain.start()
        self.chores.start()

    def close(self) -> None:
        """Nothing; the store was offered what is left. What it did not take waits for the next process."""
        self.chores.stop()
        self.drain.stop()
        self.store.close()


def open_feedback(
    home: Path,
    pseudonyms: Pseudonyms,
    opened: Callable[[], Store],
    witness: Witness,
    now: Callable[[], datetime],
    monotonic: Callable[[], float],
    *,
    spool_bytes: int,
    per_minute: int,
    retention_days: int | None,
) -> Feedback:
    """Feedback of the service in `home`, not started. Nothing is written before something is handed in."""
    folder = home / FOLDER / _SPOOL
    spool = Spool(folder, spool_bytes)
    store = StoreLater(opened)
    witness.watch_spool(lambda: spool.held_bytes)
    return Feedback(
        desk=Desk(spool, store.if_open, witness.lost),
        allowance=Allowance(per_minute, monotonic),
        pseudonyms=pseudonyms,
        drain=Drain(spool, folder, store, witness.kept),
        chores=Chores(store, retention_days, witness.figures, now),
        store=store,
    )
