"""A record replayed: where the ladder stood, when and why it moved, and whether it did what the record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.ladder import Rules
from models.rung import RUNGS, Rung, depth_of

from .record import Step

Series = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Move:
    """One move. t: seconds on the ladder's clock."""

    t: float
    old: Rung
    new: Rung
    reason: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """A whole record: figures by step, all (n,) with NaN for what was not known, and the moves.

    depth: how far down the ladder stood. agreement: by rung. told: of the steps that say where they led, how many the
    replay led to the same rung. seconds: at each rung.
    """

    t: Series
    depth: Series
    series: Mapping[str, Series]
    agreement: Mapping[Rung, Series]
    moves: Sequence[Move]
    told: tuple[int, int]
    seconds: Mapping[Rung, float]
    rules: Rules

    def summary(self) -> dict[str, object]:
        """The replay in figures."""
        same, told = self.told
        return {
            "steps": len(self.t),
            "hours": float(self.t[-1] - self.t[0]) / 3600 if len(self.t) else 0.0,
            "switches": len(self.moves),
            "reasons": dict(Counter(move.reason for move in self.moves)),
            "seconds": {rung: round(seconds, 1) for rung, seconds in self.seconds.items()},
            "as_recorded": same,
            "recorded": told,
        }


_SERIES = (
    "grad_norm",
    "grad_norm_std",
    "qps",
    "qps_std",
    "queue_delay_ms",
    "budget_misses",
    "latency_p99_ms",
)


def replayed(steps: Iterable[Step]) -> Replayed:
    """The steps of a record as figures. Raises ValueError when there is none."""
    kept = list(steps)
    if not kept:
        raise ValueError("the record holds no step")
    moves, seconds = [], dict.fromkeys(RUNGS, 0.0)
    for before, after in pairwise(kept):
        # A process that was started anew has a clock of its own.
        seconds[before.state.rung] += max(after.t - before.t, 0.0)
        if after.state.rung != before.state.rung:
            moves.append(Move(after.t, before.state.rung, after.state.rung, after.state.reason))
    told = [one for one in kept if one.told is not None]
    return Replayed(
        t=_series(one.t for one in kept),
        depth=_series(float(depth_of(one.state.rung)) for one in kept),
        series={name: _series(_number(getattr(one.signals, name)) for one in kept) for name in _SERIES},
        agreement={
            rung: _series(
                one.signals.agreement[rung].mean if rung in one.signals.agreement else np.nan for one in kept
            )
            for rung in RUNGS
        },
        moves=moves,
        told=(sum(one.told == one.state.rung for one in told), len(told)),
        seconds=seconds,
        rules=kept[-1].state.rules,
    )


def _series(values: Iterable[float]) -> Series:
    return np.fromiter(values, np.float64)


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
