"""The machine as this process may use it: interpreter, processor, memory, disk."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from models.cpu import available_cpus

from .finding import Finding

_SECTION = "machine"
_OLDEST = (3, 11)
_GIB = 1 << 30
# The default encoder, a snapshot of the shipped catalogue and the interpreter stay under this together.
_ENOUGH_MEMORY_BYTES = 2 * _GIB
_ENOUGH_DISK_BYTES = _GIB
# What the engines choose their kernels by.
_FEATURES = ("avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "asimd", "asimddp")


def interpreter(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Finding:
    """The Python that runs this."""
    text = ".".join(map(str, version))
    facts = {"version": text, "executable": sys.executable}
    if version < _OLDEST:
        return Finding(
            _SECTION,
            "python",
            "failure",
            f"{text} is older than 3.11",
            "make distclean setup PYTHON=python3.11",
            facts,
        )
    return Finding(
        _SECTION, "python", "ok", f"{text} on {platform.system()} {platform.machine()}", None, facts
    )


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> Finding:
    """Cores that may be used, and the instruction sets the engines look for."""
    flags = _flags(cpuinfo)
    features = [name for name in _FEATURES if name in flags]
    cores = available_cpus()
    facts = {"cores": cores, "host_cores": os.cpu_count(), "features": features}
    detail = f"{cores} of {os.cpu_count()} cores, {' '.join(features) or 'instruction sets unknown'}"
    if flags and platform.machine() == "x86_64" and "avx2" not in flags:
        return Finding(
            _SECTION, "processor", "warning", f"{detail}; no AVX2: vector search will be slow", None, facts
        )
    return Finding(_SECTION, "processor", "ok", detail, None, facts)


def memory(meminfo: Path = Path("/proc/meminfo"), group: Path = Path("/sys/fs/cgroup")) -> Finding:
    """Memory that may still be used: what the machine has free, within the control group's limit."""
    available, total = _available_memory(meminfo, group)
    if available is None:
        return Finding(_SECTION, "memory", "ok", "not known on this system", None, {"available_bytes": None})
    facts = {"available_bytes": available, "total_bytes": total}
    detail = f"{available / _GIB:.1f} GiB free of {(total or 0) / _GIB:.1f}"
    if available < _ENOUGH_MEMORY_BYTES:
        return Finding(
            _SECTION, "memory", "warning", f"{detail}: 2 GiB are needed by the default encoder",
            "stop other programs, or raise the memory limit of the container", facts,
        )  # fmt: skip
    return Finding(_SECTION, "memory", "ok", detail, None, facts)


def disk(home: Path) -> Finding:
    """Whether the folder of everything the service writes can be written, and the space left there."""
    facts: dict[str, object] = {"home": str(home)}
    try:
        free = _free_bytes(home.absolute())
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Finding(
            _SECTION, "disk", "failure", f"{home} cannot be made or written ({why})",
            "set SCHOLARSEARCH_HOME to a folder that can be written", facts,
        )  # fmt: skip
    facts["free_bytes"] = free
    detail = f"{free / _GIB:.1f} GiB free for {home}"
    if free < _ENOUGH_DISK_BYTES:
        return Finding(
            _SECTION, "disk", "warning", detail, "free some space, or move SCHOLARSEARCH_HOME", facts
        )
    return Finding(_SECTION, "disk", "ok", detail, None, facts)


def _free_bytes(home: Path) -> int:
    """The space left in `home`, once it was made and written to: what may be done there only doing it tells.

    Leaves nothing behind. Raises OSError or ValueError where it cannot be done.
    """
    made: list[Path] = []
    try:
        for folder in (*reversed(home.parents), home):
            if not folder.exists():
                folder.mkdir()
                made.append(folder)
        with tempfile.NamedTemporaryFile(dir=home, prefix="doctor-"):
            return shutil.disk_usage(home).free
    finally:
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _flags(cpuinfo: Path) -> frozenset[str]:
    for line in _lines(cpuinfo):
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return frozenset()


def _available_memory(meminfo: Path, group: Path) -> tuple[int | None, int | None]:
    kib = {
        name: value.split()[0]
        for name, _, value in (line.partition(":") for line in _lines(meminfo))
        if value
    }
    if "MemAvailable" not in kib:
        return None, None
    available, total = int(kib["MemAvailable"]) * 1024, int(kib["MemTotal"]) * 1024
    limit, used = _number(group / "memory.max"), _number(group / "memory.current")
    if limit is not None and used is not None and limit < total:
        return min(available, max(0, limit - used)), limit
    return available, total


def _number(file: Path) -> int | None:
    words = "".join(_lines(file)).strip()
    return int(words) if words.isdecimal() else None


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
