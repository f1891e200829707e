"""The gradient probe beside a service: its lists in a file, its process, and that process's one line.

The process is started once for each checkpoint and list of examples, computes at the lowest priority and ends; what it
found holds until one of them changes. Of several processes of a home one works it out.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from models.selftest import ProbeList

log = logging.getLogger("scholarsearch")

STREAM = "gradient.jsonl"
FEEDBACK = "feedback.jsonl.gz"
"""Examples made of recent feedback; where this file is, it is what the gradient is taken of."""
MOST_LISTS = 32
"""So many judged lists make the shipped probe."""
SHIPPED = "probe.jsonl.gz"
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


class Probe:
    """Keeps `folder/gradient.jsonl` up to date with the checkpoint and the examples."""

    def __init__(self, folder: Path, checkpoint: Path) -> None:
        self._folder = folder
        self._checkpoint = checkpoint
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: tuple[int, int] | None = None

    def write(self, lists: Sequence[ProbeList]) -> None:
        """Nothing; judged lists are put down as the probe reads them, for as long as there is no feedback."""
        path = self._folder / SHIPPED
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        text = "".join(_line(one, at) for at, one in enumerate(lists) if one.grades is not None)
        fresh.write_bytes(gzip.compress(text.encode(), mtime=0))
        fresh.replace(path)

    def tend(self) -> None:
        """Nothing; the process is started when there is something new to work out. To be called now and then."""
        if self._child is not None:
            if (code := self._child.poll()) is None:
                return
            if code:
                log.warning("the gradient could not be worked out", extra={"code": code})
            self._child = None
        file = self.examples
        if file is None:
            return
        stat = file.stat()
        mark = (stat.st_mtime_ns, stat.st_size)
        if mark == self._asked:
            return
        self._asked = mark
        arguments = [str(self._checkpoint), str(file), str(self._folder / STREAM)]
        self._child = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", "training.probing", *arguments],
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    @property
    def examples(self) -> Path | None:
        """What the gradient is taken of: feedback where there is any, else the shipped probe; None = neither yet."""
        for name in (FEEDBACK, SHIPPED):
            if (self._folder / name).exists():
                return self._folder / name
        return None

    def close(self) -> None:
        """Nothing; a running process ends, which leaves everything as it was."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
            self._child.wait()
        self._child = None


def _line(one: ProbeList, at: int) -> str:
    """A list in the format of training examples."""
    candidates = [
        [f"{at}-{row}", grade, text, [round(float(value), 6) for value in timing], None, []]
        for row, (text, timing, grade) in enumerate(
            zip(one.texts, one.timings, one.grades or (), strict=True)
        )
    ]
    fields = {"query": one.query, "task": "probe", "language": "", "as_of": "", "group": str(at)}
    return json.dumps({**fields, "candidates": candidates}, ensure_ascii=False, separators=(",", ":")) + "\n"
