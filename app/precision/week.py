"""What people ask most, of the last seven days, kept in memory alone: the words of a query are written nowhere."""

from __future__ import annotations

from collections import Counter, deque
from threading import Lock

_DAY_S = 86_400.0
_DAYS = 7
# A day's counts are cut back to the frequent half when there are more.
_MOST_A_DAY = 4_000


class Week:
    """Counts queries by day. fewest: how often one must have been asked to be told of: it is then nobody's own.

    Safe to use from several threads; clocks are arguments.
    """

    def __init__(self, fewest: int = 3) -> None:
        self._fewest = fewest
        self._days: deque[tuple[int, Counter[str]]] = deque(maxlen=_DAYS)
        self._lock = Lock()

    def asked(self, query: str, at: float) -> None:
        """Nothing; `query` was asked."""
        text = " ".join(query.casefold().split())
        if not text:
            return
        day = int(at // _DAY_S)
        with self._lock:
            if not self._days or self._days[-1][0] < day:
                self._days.append((day, Counter()))
            counts = self._days[-1][1]
            counts[text] += 1
            if len(counts) > _MOST_A_DAY:
                self._days[-1] = (self._days[-1][0], Counter(dict(counts.most_common(_MOST_A_DAY // 2))))

    def frequent(self, now: float, most: int = 50) -> list[str]:
        """At most `most` queries of the last seven days, the most frequent first, then by text."""
        first = int(now // _DAY_S) - _DAYS + 1
        with self._lock:
            total: Counter[str] = Counter()
            for day, counts in self._days:
                if day >= first:
                    total.update(counts)
        ranked = sorted(
            (text for text, count in total.items() if count >= self._fewest),
            key=lambda text: (-total[text], text),
        )
        return ranked[:most]
