"""The rungs of the precision ladder, by name and in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Rung = Literal["fp16", "int8", "int4"]
"""fp16 is the reference: half precision on an accelerator, fp32 on a CPU."""

RUNGS: tuple[Rung, ...] = ("fp16", "int8", "int4")
"""From the most exact to the smallest."""


def depth_of(rung: Rung) -> int:
    """How far down a rung stands, 0 = the reference."""
    return RUNGS.index(rung)


def not_below(rungs: Sequence[Rung], floor: Rung) -> tuple[Rung, ...]:
    """Those of `rungs` that are as exact as `floor` or more."""
    return tuple(rung for rung in rungs if depth_of(rung) <= depth_of(floor))
