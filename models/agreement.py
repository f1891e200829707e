"""Whether two rungs would have shown the same hits: the overlap of their top 5, collected over the last searches."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from models.ladder import Agreement
from models.rung import RUNGS, Rung

TOP = 5


def top(scores: NDArray[np.float32], k: int = TOP) -> frozenset[int]:
    """Positions of the best `k`; of equal scores the earlier one is better."""
    order = np.lexsort((np.arange(len(scores)), -scores))
    return frozenset(order[:k].tolist())


def overlap(reference: NDArray[np.float32], other: NDArray[np.float32], k: int = TOP) -> float | None:
    """The share of the reference's top `k` that is in the other's; None when there are not more than `k` of them.

    Both (n,), of the same candidates. A score that is not finite makes the share 0: such a rung ranks nothing.
    """
    if len(reference) <= k:
        return None
    if not (np.isfinite(reference).all() and np.isfinite(other).all()):
        return 0.0
    return len(top(reference, k) & top(other, k)) / k


class Comparisons:
    """The last comparisons of each rung with the reference. Safe to use from several threads.

    kept: how many count. age_s: for how long one counts.
    """

    def __init__(self, kept: int = 100, age_s: float = 3600.0) -> None:
        self._age_s = age_s
        self._seen: dict[Rung, deque[tuple[float, float]]] = {rung: deque(maxlen=kept) for rung in RUNGS}
        self._lock = Lock()

    def add(self, rung: Rung, share: float, at: float) -> None:
        """Nothing; `rung` was compared."""
        with self._lock:
            self._seen[rung].append((at, share))

    def forget(self, rung: Rung | None = None) -> None:
        """Nothing; what is known of a rung, or of all, is void: it was left, or its engine is another."""
        with self._lock:
            for name in RUNGS if rung is None else (rung,):
                self._seen[name].clear()

    def reading(self, now: float) -> Mapping[Rung, Agreement]:
        """The mean overlap of every rung that was compared of late."""
        found: dict[Rung, Agreement] = {}
        with self._lock:
            for rung, seen in self._seen.items():
                shares = [share for at, share in seen if now - at <= self._age_s]
                if shares:
                    found[rung] = Agreement(sum(shares) / len(shares), len(shares))
        return found
