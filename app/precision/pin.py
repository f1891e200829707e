"""The operator's pin, in a file of the home folder: every process of it goes by the same, also after a restart."""

from __future__ import annotations

import json
import os
from pathlib import Path

from models.rung import RUNGS, Rung

FILE = "pin.json"


class Pin:
    """folder: None = it is kept in memory alone. default: of the settings, until somebody has decided otherwise."""

    def __init__(self, folder: Path | None, default: Rung | None) -> None:
        self._path = None if folder is None else folder / FILE
        self._default = default
        self._seen: int | None = None
        self._rung = default

    def read(self) -> Rung | None:
        """The rung that is pinned now; None = the policy decides."""
        if self._path is None:
            return self._rung
        try:
            mark = self._path.stat().st_mtime_ns
            if mark != self._seen:
                told = json.loads(self._path.read_text(encoding="utf-8"))
                rung = told.get("pin") if isinstance(told, dict) else None
                self._rung, self._seen = (rung if rung in RUNGS else None), mark
        except FileNotFoundError:
            self._rung, self._seen = self._default, None
        except (OSError, ValueError):
            pass  # half a file, or none that is ours: what was known holds
        return self._rung

    def write(self, rung: Rung | None) -> None:
        """Nothing; from here on this is the pin, whatever the settings say. Raises OSError when it cannot be kept."""
        self._rung = rung
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f"{FILE}.{os.getpid()}")
        fresh.write_text(json.dumps({"pin": rung}) + "\n", encoding="utf-8")
        fresh.replace(self._path)
        self._seen = None
