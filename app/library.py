"""What answers are made with: one snapshot, the encoder it was built with, a clock, and the key of cursors."""

from __future__ import annotations

from dataclasses import dataclass

from index.snapshot import Snapshot
from index.types import Encoder

from .trace import Clock


@dataclass(frozen=True, slots=True)
class Library:
    """The same for every request of one snapshot."""

    snapshot: Snapshot
    encoder: Encoder | None
    clock: Clock
    cursor_key: str
