"""What answers are made with: one snapshot, its encoder, the judge that reranks, a clock, and the key of cursors."""

from __future__ import annotations

from dataclasses import dataclass

from index.snapshot import Snapshot
from index.types import Encoder

from .reranking import Judge
from .trace import Clock


@dataclass(frozen=True, slots=True)
class Library:
    """The same for every request of one snapshot. Without a `judge` nothing is reranked."""

    snapshot: Snapshot
    encoder: Encoder | None
    clock: Clock
    cursor_key: str
    judge: Judge | None = None
