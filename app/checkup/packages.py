"""The installed packages: what the service declares that it needs, and whether it is here."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Callable, Iterable

from .finding import Finding

_SECTION = "packages"
_REINSTALL = "make setup"
_CUDA = re.compile(r"^(nvidia-|cuda-|triton)")


def version_of(name: str) -> str | None:
    """The installed version of a distribution, or None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def needed(requirements: Iterable[str] | None) -> list[str]:
    """The names among requirement lines that are needed at run time: those without an extra's marker."""
    names = []
    for line in requirements or ():
        requirement, _, marker = line.partition(";")
        if "extra" not in marker:
            names.append(re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0])
    return names


def packages(lookup: Callable[[str], str | None] = version_of) -> Finding:
    """Every package the service declares, with its version."""
    try:
        names = needed(importlib.metadata.requires("scholarsearch"))
    except importlib.metadata.PackageNotFoundError:
        return Finding(_SECTION, "scholarsearch", "failure", "is not installed in this Python", _REINSTALL)
    versions = {name: lookup(name) for name in names}
    missing = [name for name, version in versions.items() if version is None]
    facts: dict[str, object] = {"versions": versions}
    if missing:
        detail = f"not installed: {', '.join(missing)}"
        return Finding(_SECTION, "requirements", "failure", detail, _REINSTALL, facts)
    return Finding(_SECTION, "requirements", "ok", f"all {len(versions)} are installed", None, facts)


def torch_build(
    lookup: Callable[[str], str | None] = version_of, names: Iterable[str] | None = None
) -> Finding:
    """Which build of torch is here; CUDA packages beside a CPU build are dead weight."""
    version = lookup("torch")
    if version is None:
        return Finding(_SECTION, "torch", "failure", "not installed: no encoder can be loaded", _REINSTALL)
    installed = names if names is not None else (d.name for d in importlib.metadata.distributions())
    cuda = sorted({name.lower() for name in installed if _CUDA.match(name.lower())})
    facts = {"version": version, "cuda_packages": cuda}
    if version.endswith("+cpu") and cuda:
        fix = f"{sys.executable} -m pip uninstall {' '.join(cuda)}"
        detail = f"{version}, and {len(cuda)} CUDA packages that it cannot use"
        return Finding(_SECTION, "torch", "warning", detail, fix, facts)
    return Finding(_SECTION, "torch", "ok", version, None, facts)
