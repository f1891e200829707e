"""What the canary gave when all was well, kept in the home folder: the figure that later ones stand beside."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .reading import Reading

FILE = "canary.json"
TOLERANCE = 0.05
"""How far the mean may fall before it is an alarm: with some forty queries, two that were answered and are not."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reading beside the accepted one. accepted: None = this is the first reading of its set and system."""

    reading: Reading
    accepted: float | None

    @property
    def alarm(self) -> bool:
        """Whether the figure fell by more than the tolerance."""
        return self.accepted is not None and self.reading.mrr5 < self.accepted - TOLERANCE

    def sentence(self) -> str:
        """The verdict in words."""
        reading = self.reading
        told = f"MRR@5 {reading.mrr5:.3f} over {reading.queries} judged queries of {reading.set_name!r}"
        told += f" by {reading.system!r}"
        if self.accepted is None:
            told += "; the first reading, kept as the one to compare with"
        else:
            told += f"; accepted were {self.accepted:.3f}" + (": it FELL" if self.alarm else "")
        if reading.unanswerable:
            told += f"; {reading.unanswerable} more ask for records that are gone from the catalogue"
        return told + (f"; {reading.degraded} answers were degraded" if reading.degraded else "")


class Memory:
    """The accepted figures by set and system. One writer at a time is expected: the last one stays."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE

    def weigh(self, reading: Reading, *, accept: bool = False) -> Verdict:
        """The verdict; the first reading of its set and system, or with `accept` this one, is kept as accepted."""
        known = self._read()
        accepted = known.get(_key(reading))
        if accept or accepted is None:
            self._write({**known, _key(reading): reading.mrr5})
        return Verdict(reading, None if accept else accepted)

    def _read(self) -> dict[str, float]:
        """The accepted figures; none where the file is missing or is not ours to read."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {key: float(value) for key, value in found.items() if isinstance(value, int | float)}

    def _write(self, known: dict[str, float]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f"{FILE}.{os.getpid()}")
        fresh.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        fresh.replace(self._path)


def _key(reading: Reading) -> str:
    """A set that changed, or another system, begins anew; a changed catalogue or model does not: that is the point."""
    return f"{reading.set_name} {reading.set_fingerprint} {reading.system}"
