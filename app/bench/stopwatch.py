"""What a run costs: milliseconds as percentiles, and bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

_QUANTILES = (50, 95, 99)
_PAGE = 4096


def percentiles(durations_ms: Sequence[float]) -> dict[str, float]:
    """p50, p95, p99 and the mean, in milliseconds."""
    values = np.asarray(durations_ms)
    found = {f"p{q}": round(float(np.percentile(values, q)), 4) for q in _QUANTILES}
    return {**found, "mean": round(float(values.mean()), 4)}


def timed_ms(call: Callable[[], object], clock: Callable[[], float]) -> float:
    """How long one call takes, in milliseconds."""
    started = clock()
    call()
    return (clock() - started) * 1000


def resident_bytes(statm: Path = Path("/proc/self/statm")) -> int | None:
    """Memory this process holds that is its own, or None where the system does not tell.

    File pages that are mapped and could be dropped at any time are not counted.
    """
    try:
        words = statm.read_text(encoding="ascii").split()
    except OSError:
        return None
    return (int(words[1]) - int(words[2])) * _PAGE


def peak_bytes(status: Path = Path("/proc/self/status")) -> int | None:
    """The most memory this program ever held, or None where the system does not tell.

    Not `getrusage`: its figure survives the start of a new program and would be that of whoever started this one.
    """
    try:
        lines = status.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)


def folder_bytes(folder: Path) -> int:
    """The size of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
