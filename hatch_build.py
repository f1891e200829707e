"""Builds the native kernel at install where there is a C compiler; goes on without it elsewhere."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("models/kernel")
SOURCE, TARGET = FOLDER / "encoder.c", FOLDER / "_encoder.so"
FLAGS = (
    *("-std=gnu11", "-O3", "-fPIC", "-shared", "-fno-math-errno", "-fno-trapping-math"),
    # Sums may be split among lanes only where the source says so: a row must round alike wherever it stands in a batch.
    *("-fno-signed-zeros", "-fopenmp-simd"),
)


class KernelHook(BuildHookInterface):  # type: ignore[misc]
    """Called by hatchling before a wheel is made, an editable one too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Nothing; the wheel holds the library, and is of this platform, when it could be built."""
        root = Path(self.root)
        built = build(root / SOURCE, root / TARGET)
        if built:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["artifacts"].append(str(TARGET))


def build(source: Path, target: Path) -> bool:
    """Whether the library was built; says on stderr why not."""
    compiler = os.environ.get("CC") or next(
        (name for name in ("cc", "gcc", "clang") if shutil.which(name)), None
    )
    if compiler is None:
        target.unlink(missing_ok=True)
        print("no C compiler: int8 and int4 reranking will not be there", file=sys.stderr)
        return False
    fresh = target.with_suffix(f".{os.getpid()}")
    command = [*shlex.split(compiler), *FLAGS, str(source), "-o", str(fresh), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        target.unlink(missing_ok=True)
        print(f"the native kernel was not built: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return False
    fresh.replace(target)  # whole or not at all; a process that has the old one open keeps it
    return True
