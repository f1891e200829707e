"""How live an engine is: what of the store its searches see, and what is on its way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

StoreState = Literal["ok", "unavailable", "full", "damaged", "replaced"]


@dataclass(frozen=True, slots=True)
class Vitals:
    """One look at the engine.

    sequence: the last change of the store that searches see. documents: how many can be found; delta: how many of
    them came, changed or went since the snapshot on disk was built. pending_vectors: documents found by their words
    alone so far. lag_s: for how long there has been something in the store that searches do not see, or no look at
    the store. store: whether the store can be followed; since: from when it could not be.
    """

    sequence: int
    documents: int
    delta: int = 0
    pending_vectors: int = 0
    lag_s: float = 0.0
    store: StoreState = "ok"
    since: datetime | None = None
