"""What the searches beside the switches say: failures, and the p99 of those that a switch fell into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.traffic import quantile

from .crowd import Served

_SWITCH_S = 1.0


def judged(served: Sequence[Served], switches: Sequence[float], around_s: float) -> dict[str, Any]:
    """Failures, and latencies in the second after a switch beside those of the seconds around it.

    switches: when they were, on the clock of the searches. A search belongs to a switch when it was due in its second
    or still being served then; it is around one when it was due within `around_s` of it and belongs to none.
    """
    answered = [one for one in served if one.status == 200]
    inside, around = [], []
    for one in answered:
        if any(one.due < at + _SWITCH_S and one.done > at for at in switches):
            inside.append(one.latency_ms)
        elif any(abs(one.due - at) <= around_s for at in switches):
            around.append(one.latency_ms)
    p99_in, p99_around = quantile(inside, 0.99), quantile(around, 0.99)
    return {
        "failed": sum(one.failed for one in served),
        "refused": sum(one.status == 429 for one in served),
        "in_switch_second": {"searches": len(inside), "p50": quantile(inside, 0.5), "p99": p99_in},
        "around": {"searches": len(around), "p50": quantile(around, 0.5), "p99": p99_around},
        "p99_ratio": p99_in / p99_around if p99_in and p99_around else None,
    }
