"""How many events a caller without a key may send: a bucket per caller that fills again by the second."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable

_MOST_CALLERS = 10_000


class Allowance:
    """So many events a minute for each caller, all of them at once if need be. Threads may share it.

    clock: seconds that never go back.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._most = float(per_minute)
        self._per_s = per_minute / 60
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, events: int) -> int | None:
        """None when the caller may send so many now; else after how many seconds it may."""
        with self._lock:
            now = self._clock()
            left, at = self._left.pop(caller, (self._most, now))
            left = min(self._most, left + (now - at) * self._per_s)
            missing = events - left
            self._left[caller] = (left if missing > 0 else left - events, now)
            if len(self._left) > _MOST_CALLERS:
                self._left.popitem(last=False)
        return max(1, math.ceil(missing / self._per_s)) if missing > 0 else None
