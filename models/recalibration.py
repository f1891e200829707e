"""When the rungs are to be tried anew on what people ask now, as a pure decision.

A rung that agreed with the reference on last month's questions need not do so on this week's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Cause = Literal["first", "quality", "drift", "age"]


@dataclass(frozen=True, slots=True)
class RecalibrationRules:
    """fewest: frequent queries, below which nothing can be said. age_s: the longest a calibration counts.

    overlap: the share of this week's frequent queries that it has to know. pause_s: the least time between two.
    """

    fewest: int = 20
    age_s: float = 7 * 86_400.0
    overlap: float = 0.5
    pause_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """at: when the rungs were tried last, queries: on which ones; none = on the shipped probe."""

    at: float
    queries: frozenset[str] = frozenset()


def due(
    last: Calibration,
    week: Collection[str],
    left_since: bool,
    now: float,
    rules: RecalibrationRules = RecalibrationRules(),
) -> Cause | None:
    """Why the rungs are to be tried on `week`, the frequent queries of the last seven days; None = not now.

    left_since: whether the quality guard has left a rung since the last time.
    """
    asked = frozenset(week)
    if len(asked) < rules.fewest or now - last.at < rules.pause_s:
        return None
    if left_since:
        return "quality"
    if not last.queries:
        return "first"
    if len(asked & last.queries) / len(asked) < rules.overlap:
        return "drift"
    return "age" if now - last.at >= rules.age_s else None
