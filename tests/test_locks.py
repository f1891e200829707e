"""The lock files: all hashed, all that is declared is pinned, no CUDA package can come along."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements-build.lock", "requirements-torch.lock", "requirements.lock", "requirements-dev.lock")
# nvidia-ml-py is a small binding that asks a driver for temperatures, not a part of CUDA.
CUDA = re.compile(r"^(nvidia-(?!ml-py)|cuda-|triton|pytorch-triton|faiss-gpu)")


def pins(lock: str) -> dict[str, Version]:
    """The locked version of each package, with the hashes checked to be there."""
    found = {}
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        entry, _, hashes = line.partition(" --hash=")
        if not entry or entry.lstrip().startswith("#"):
            continue
        assert re.fullmatch(r"sha256:[0-9a-f]{64}", hashes.split()[0]), f"{lock}: no hash for {entry}"
        requirement = Requirement(entry.strip())
        (pin,) = requirement.specifier
        assert pin.operator == "=="
        found[canonicalize_name(requirement.name)] = Version(pin.version)
    return found


def declared(extra: str | None = None) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return [Requirement(entry) for entry in entries]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_pinned_with_a_hash_and_no_cuda_package(lock: str) -> None:
    assert pins(lock)
    assert [name for name in pins(lock) if CUDA.match(name)] == []


def test_torch_is_the_cpu_build_and_stands_apart() -> None:
    torch = pins("requirements-torch.lock")
    assert list(torch) == ["torch"]
    assert torch["torch"].local == "cpu"
    assert all("torch" not in pins(lock) for lock in LOCKS if lock != "requirements-torch.lock")


@pytest.mark.parametrize(("lock", "extra"), [("requirements.lock", None), ("requirements-dev.lock", "dev")])
def test_the_lock_satisfies_what_is_declared(lock: str, extra: str | None) -> None:
    locked = {**pins("requirements-torch.lock"), **pins(lock)}
    wanted = {canonicalize_name(need.name): need.specifier for need in declared(extra)}
    wrong = [name for name, need in wanted.items() if name not in locked or locked[name] not in need]
    assert wrong == [], "run `make lock`"


def test_the_gate_runs_with_the_same_packages_as_the_service() -> None:
    gate = pins("requirements-dev.lock")
    assert {
        name: version for name, version in pins("requirements.lock").items() if gate[name] != version
    } == {}


def test_no_cuda_package_is_installed() -> None:
    torch = Version(importlib.metadata.version("torch"))
    if sys.platform == "linux" and torch.local != "cpu":
        pytest.skip(f"torch {torch} was chosen on purpose (VARIANT=gpu): it brings CUDA packages")
    names = {canonicalize_name(found.metadata["Name"]) for found in importlib.metadata.distributions()}
    assert sorted(name for name in names if CUDA.match(name)) == []
