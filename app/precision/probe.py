"""The gradient probe beside a service: its lists in a file, its process, and that process's one line.

The process is started once for each checkpoint and list of examples, computes at the lowest priority and ends; what it
found holds until one of them changes. Of several processes of a home one works it out. It stands still while searches
come: even the lowest priority shares caches and memory with them. A service that is never idle lets it run in the end.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from models.selftest import ProbeList

log = logging.getLogger("scholarsearch")

STREAM = "gradient.jsonl"
FEEDBACK = "feedback.jsonl.gz"
"""Examples made of recent feedback; where this file is, it is what the gradient is taken of."""
MOST_LISTS = 32
"""So many judged lists make the shipped probe."""
SHIPPED = "probe.jsonl.gz"
_IDLE_S = 3.0
"""Longer than a search takes, even a slow one."""
_TICK_S = 1.0
"""How often it is tended, about."""
_PATIENCE_S = 900.0
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


class Probe:
    """Keeps `folder/gradient.jsonl` up to date with the checkpoint and the examples."""

    def __init__(self, folder: Path, checkpoint: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held_at: float | None = None
        self._held_s = 0.0
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
                self._let_go()
                return
            if code:
                log.warning("the gradient could not be worked out", extra={"code": code})
            self._child = self._held_at = None
        file = self.examples
        if file is None:
            return
        stat = file.stat()
        mark = (stat.st_mtime_ns, stat.st_size)
        if mark == self._asked:
            return
        self._asked, self._held_s = mark, 0.0
        arguments = [str(self._checkpoint), str(file), str(self._folder / STREAM)]
        self._child = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", "training.probing", *arguments],
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def hold(self) -> None:
        """Nothing; a search has come, and a running process stands still."""
        child = self._child
        if child is None or self._held_s > _PATIENCE_S:
            return
        if self._held_at is None:
            child.send_signal(signal.SIGSTOP)
        self._held_at = self._clock()

    def _let_go(self) -> None:
        """Nothing; the process goes on when no search has come for a moment, or it has stood for too long."""
        if self._held_at is None or self._child is None:
            return
        waited_s = self._clock() - self._held_at
        self._held_s += _TICK_S
        if waited_s >= _IDLE_S or self._held_s > _PATIENCE_S:
            self._held_at = None
            self._child.send_signal(signal.SIGCONT)

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
            self._child.kill()  # it may be standing still, and has nothing to tidy up
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
