"""How many processors this process may really use: its affinity, cut by its control group's quota.

The host's count is the wrong answer inside a container: a pool of that size only makes threads wait.
"""

from __future__ import annotations

import math
import os
from pathlib import Path


def available_cpus(
    affinity: int | None = None,
    cgroup_root: Path = Path("/sys/fs/cgroup"),
    membership: Path = Path("/proc/self/cgroup"),
) -> int:
    """At least 1: the smallest of the scheduler affinity and every quota on the way up the group tree."""
    bounds = [float(affinity if affinity is not None else _affinity())]
    for group in _groups(cgroup_root, membership):
        quota = _quota_v2(group / "cpu.max") or _quota_v1(group)
        if quota is not None:
            bounds.append(quota)
    return max(1, math.ceil(min(bounds)))


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _groups(root: Path, membership: Path) -> list[Path]:
    """Every directory whose quota binds this process, from its own group up to the root."""
    found = [root, root / "cpu"]
    for line in _read(membership).splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and "cpu" not in controllers.split(","):
            continue
        base = root / "cpu" if controllers else root
        parts = [part for part in path.split("/") if part not in ("", "..")]
        found += [base.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)]
    return found


def _quota_v2(file: Path) -> float | None:
    """`cpu.max` holds "QUOTA PERIOD" in microseconds, or "max PERIOD" for no limit."""
    words = _read(file).split()
    if len(words) != 2 or words[0] == "max":
        return None
    return _ratio(words[0], words[1])


def _quota_v1(group: Path) -> float | None:
    """The older pair of files; a quota of -1 means no limit."""
    return _ratio(_read(group / "cpu.cfs_quota_us"), _read(group / "cpu.cfs_period_us"))


def _ratio(quota: str, period: str) -> float | None:
    try:
        microseconds, window = int(quota), int(period)
    except ValueError:
        return None
    return microseconds / window if microseconds > 0 and window > 0 else None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
