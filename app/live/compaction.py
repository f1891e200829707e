"""Compaction: a new base from the whole store, built by a process of its own while this one goes on answering.

    python -m app.live.compaction

It takes the centring of the base that is there, so that the new one ranks as the edited one did. One process of a home
builds at a time; the others find the new base by the pointer to it.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable

from app.indexing import BUILDING, compact
from app.journal import configure_logging
from app.lock import held
from app.settings import Settings

log = logging.getLogger("scholarsearch")

_NICENESS = 15
_PAUSE_S = 30.0
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


class Compactor:
    """Starts compactions, one at a time and not in quick succession."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._child: subprocess.Popen[bytes] | None = None
        self._not_before = 0.0

    def start(self) -> bool:
        """Whether a compaction was started: not when one runs, in this process or another, or ended just now."""
        if self.runs() or self._clock() < self._not_before:
            return False
        with held(self._settings.home / BUILDING, wait=False) as free:
            if not free:
                return False
        self._child = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", __name__],
            env=_environment(self._settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        return True

    def runs(self) -> bool:
        """Whether a compaction of this process is running."""
        if self._child is None:
            return False
        code = self._child.poll()
        if code is None:
            return True
        if code:
            log.warning("a compaction failed; the next one is tried later", extra={"code": code})
        self._child = None
        self._not_before = self._clock() + _PAUSE_S
        return False

    def stop(self) -> None:
        """Nothing; a running compaction is ended, which leaves everything as it was."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
            self._child.wait()
        self._child = None


def _environment(settings: Settings) -> dict[str, str]:
    environment = {**os.environ, **dict.fromkeys(_ONE_THREAD, "1")}
    environment["SCHOLARSEARCH_HOME"] = str(settings.home.absolute())
    if settings.store_url is not None:
        # Not on the command line, which every user of the machine can read.
        environment["SCHOLARSEARCH_STORE_URL"] = settings.store_url.get_secret_value()
    return environment


def main() -> None:
    """Nothing; a new base is published, unless another process is building one."""
    os.nice(_NICENESS)
    settings = Settings()
    configure_logging(settings.log_level)
    built = compact(settings)
    if built is not None:
        log.info("compacted", extra={"snapshot": built.manifest.snapshot, "seconds": round(built.seconds, 2)})


if __name__ == "__main__":
    main()
