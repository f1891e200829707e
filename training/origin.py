"""Where a checkpoint comes from: seed, sources, versions of what computed it."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from pathlib import Path

_LIBRARIES = ("torch", "transformers", "tokenizers", "peft", "numpy", "scholarsearch")
_ROOT = Path(__file__).resolve().parent.parent


def origin(seed: int) -> dict[str, object]:
    """JSON values: the seed, the commit ("" outside a checkout, "+" after it where files differ), the versions."""
    versions = {name: _version(name) for name in _LIBRARIES}
    return {"seed": seed, "commit": _commit(), "versions": {"python": platform.python_version(), **versions}}


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _commit() -> str:
    head = _git("rev-parse", "HEAD")
    if not head:
        return ""
    return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*words: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            ["git", *words],  # noqa: S607 - whichever git the user has
            cwd=_ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:  # no git on this machine
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
