"""One way of searching a collection, ours or a peer's: how it is made, opened and asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from index.types import Mask, Rows, Vector

from .collection import Collection

Leg = Literal["lexical", "dense"]
Question = Sequence[str] | Vector
Ask = Callable[[Question, Mask | None], Rows]

DEPTH = 100


@dataclass(frozen=True, slots=True)
class Contender:
    """One way of searching.

    prepare: writes an index into a folder, or None where the thing cannot be kept on disk. open: gives what answers a
    question with at most `DEPTH` rows. limit: the most documents it can be asked to hold. filters: whether it can be
    told which rows are allowed.
    """

    leg: Leg
    name: str
    ours: bool
    prepare: Callable[[Collection, list[str], Path], None] | None
    open: Callable[[Collection, list[str], Path], Ask]
    limit: int | None = None
    filters: bool = False
