"""One request to rerank texts of the caller's own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from index.document import Window


@dataclass(frozen=True, slots=True)
class Offered:
    """A text to rank, and when one may apply for what it is about; no windows = not known."""

    text: str
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True)
class RerankCall:
    """What to rank for `query` on the day of `as_of`.

    top_n: how many results; None = all. gated: whether the time gate speaks.
    """

    query: str
    as_of: datetime
    offered: tuple[Offered, ...]
    top_n: int | None = None
    gated: bool = True
