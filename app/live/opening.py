"""Settings → a keeper that is level with the store, and what keeps it so."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from app.attraction import FILE_NAME, read_attraction
from app.judging import Judges
from app.library import Library
from app.settings import Settings
from index.catalogue.shipped import VECTORS
from index.types import Encoder
from index.vectorshelf import VectorShelf

from .compaction import Compactor
from .delta import Delta
from .edition import Recipe
from .encoding import Encoding
from .follower import Follower, Parts
from .keeper import Keeper
from .line import Line
from .linking import Linking
from .pointer import Pointer

ENCODING = "vectors/encoding.lock"
"""In the home folder: held by the one process that encodes new documents there."""


@dataclass(frozen=True, slots=True)
class Live:
    """The parts of a live engine: what is searched, where writes go, and what brings the two together."""

    keeper: Keeper
    line: Line
    follower: Follower
    encoding: Encoding
    compactor: Compactor
    linking: Linking

    def start(self) -> None:
        """Nothing; from here on the store is followed."""
        self.encoding.start(self.follower.wake)
        self.follower.start()
        self.linking.start(self.follower.wake)

    def close(self) -> None:
        """Nothing; threads and child processes end, the store is let go of. What is searched stays searchable."""
        self.linking.stop()
        self.encoding.stop()
        self.follower.stop()
        self.compactor.stop()
        self.line.close()


def open_live(settings: Settings, encoder: Encoder, judges: Judges | None = None) -> Live:
    """The live engine of a home whose snapshot has been built, level with the store if that can be read.

    Raises SnapshotError or SnapshotMismatch.
    """
    pointer = Pointer(settings.home, encoder.fingerprint)
    base = pointer.first()
    attraction = read_attraction(settings.home / FILE_NAME)
    like = Library(base.snapshot, encoder, time.perf_counter, settings.cursor_key, judges, attraction)
    delta = Delta(base)
    keeper = Keeper(Recipe.of(delta), partial(Recipe.edition, like=like))
    shelf = VectorShelf(encoder.fingerprint, (settings.home / "vectors", VECTORS))
    line, compactor = Line(settings), Compactor(settings)
    encoding = Encoding(encoder, shelf, settings.home / ENCODING)
    follower = Follower(delta, Parts(keeper, line, pointer, encoding, compactor, settings.compact_at))
    follower.catch_up()
    return Live(keeper, line, follower, encoding, compactor, Linking(line))
