"""The pointer of a home to its current snapshot: what it names, opened when that is another than before."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from index.errors import IndexingError
from index.storage import current, read_manifest

from .footing import Footing, open_footing

log = logging.getLogger("scholarsearch")


class Pointer:
    """What the pointer names, and whether that is new since the last look."""

    def __init__(self, home: Path, encoder_fingerprint: str) -> None:
        self._snapshots = home / "snapshots"
        self._encoder = encoder_fingerprint
        self._seen: tuple[int, int] | None = None

    def first(self) -> Footing:
        """The current base. Raises SnapshotError, also when there is none, or SnapshotMismatch."""
        self._seen = self._mark()
        return open_footing(current(self._snapshots) or self._snapshots, self._encoder)

    def newer_than(self, base: Footing) -> Footing | None:
        """The current base when it was published since the last look and is not `base`; None otherwise.

        One that cannot be opened is told in the log and left alone: the old one goes on serving.
        """
        mark = self._mark()
        if mark is None or mark == self._seen:
            return None
        try:
            folder = current(self._snapshots)
            if folder is None:
                return None
            if folder == base.folder:  # equal content, of a later state of the store
                found = replace(base, sequence=read_manifest(folder).sequence)
            else:
                found = open_footing(folder, self._encoder)
        except (IndexingError, OSError):
            log.exception("the new snapshot cannot be opened")
            if self._mark() != mark:
                return None  # replaced again while it was being opened: the next look takes that one
            found = None
        self._seen = mark
        return found

    def _mark(self) -> tuple[int, int] | None:
        """Tells one publication from another, also of the same snapshot."""
        try:
            found = (self._snapshots / "current").stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns
