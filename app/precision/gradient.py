"""Whether the adapter has settled: the gradient's norm over time, as a trainer writes it or a probe works it out.

A trainer's stream (`gradient.jsonl` of a run) says norm and deviation itself; its last line counts. The probe writes
one line for each pair of checkpoint and probe lists; its norm is sampled at an even pace, and the deviation is of the
samples: it is 0 while nothing changes, and moves when another adapter or other feedback comes.
"""

from __future__ import annotations

import json
import math
import os
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TAIL_BYTES = 8192


@dataclass(frozen=True, slots=True)
class Gradient:
    """norm: L2, over adapters and gate. std: of the window; None until it is full."""

    norm: float | None = None
    std: float | None = None


UNKNOWN = Gradient()


class TrainerStream:
    """The last word of a trainer's gradient stream, read again when the file has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._last = UNKNOWN

    def reading(self, now: float) -> Gradient:
        """What the last whole line says."""
        del now  # a trainer has its own pace
        told = self._fresh()
        if told is not None:
            norm, std = told.get("grad_norm"), told.get("grad_norm_std")
            self._last = Gradient(_number(norm), _number(std))
        return self._last

    def _fresh(self) -> Mapping[str, Any] | None:
        try:
            stat = self._path.stat()
        except OSError:
            return None
        if (mark := (stat.st_mtime_ns, stat.st_size)) == self._seen:
            return None
        self._seen = mark
        return last_line(self._path)


class ProbeStream:
    """Samples of what the probe last found for the checkpoint and the lists of now; for one thread.

    every_s: between two samples. window: how many make a deviation.
    """

    def __init__(self, path: Path, every_s: float = 10.0, window: int = 12) -> None:
        self._path = path
        self._every_s = every_s
        self._samples: deque[float] = deque(maxlen=window)
        self._at: float | None = None

    def reading(self, now: float) -> Gradient:
        """The norm of now and its deviation over the window."""
        if self._at is None or now - self._at >= self._every_s:
            told = last_line(self._path)
            norm = None if told is None else _number(told.get("grad_norm"))
            if norm is not None:
                self._samples.append(norm)
                self._at = now
        if not self._samples:
            return UNKNOWN
        return Gradient(self._samples[-1], _deviation(self._samples))


def last_line(path: Path) -> Mapping[str, Any] | None:
    """The last whole line of a file of JSON objects; None when there is none."""
    try:
        with path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(end - _TAIL_BYTES, 0))
            lines = file.read().split(b"\n")
    except OSError:
        return None
    # What follows the last line end is a line that is being written, or nothing.
    for line in reversed(lines[:-1]):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict):
            return told
    return None


def _deviation(samples: deque[float]) -> float | None:
    if len(samples) < (samples.maxlen or 0):
        return None
    mean = math.fsum(samples) / len(samples)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in samples) / (len(samples) - 1))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
