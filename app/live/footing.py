"""The snapshot on disk that a running service stands on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.suggestions import Suggestions
from index.snapshot import Snapshot
from index.storage import open_snapshot, read_manifest


@dataclass(frozen=True, slots=True, eq=False)
class Footing:
    """A built snapshot, open, with its completions; `sequence` is the last change of the store that is in it."""

    folder: Path
    snapshot: Snapshot
    suggestions: Suggestions
    sequence: int


def open_footing(folder: Path, encoder_fingerprint: str) -> Footing:
    """The footing in `folder`. Raises SnapshotError or SnapshotMismatch."""
    # The number first: should a builder renew it meanwhile, some changes are taken twice and none is missed.
    sequence = read_manifest(folder).sequence
    snapshot = open_snapshot(folder, encoder_fingerprint)
    return Footing(folder, snapshot, Suggestions.of(snapshot), sequence)
