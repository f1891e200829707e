"""How a snapshot is built: the choices that its fingerprint names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from index.terms import AWARD_WEIGHTS, PLAIN_WEIGHTS


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """BM25's constants, the field weights its terms are counted by, and how long a passage may be (in units)."""

    k1: float
    b: float
    passage_units: int
    weights: Mapping[str, int] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """A short hash of every choice."""
        return f"settings-{sha256(self._text().encode()).hexdigest()[:12]}"

    def write(self, path: Path) -> None:
        """Nothing; writes the settings to `path`."""
        path.write_text(self._text(), encoding="utf-8")

    def _text(self) -> str:
        return json.dumps(
            {"k1": self.k1, "b": self.b, "passage_units": self.passage_units, "weights": dict(self.weights)},
            sort_keys=True,
        )


# Chosen on the development set (docs/retrieval.md).
AWARDS = BuildSettings(k1=1.5, b=0.85, passage_units=90, weights=AWARD_WEIGHTS)
# A collection without record fields is indexed as published figures are: counted once, encoded whole.
PLAIN = BuildSettings(k1=1.2, b=0.75, passage_units=400, weights=PLAIN_WEIGHTS)


def read_settings(path: Path) -> BuildSettings:
    """The settings written to `path`."""
    return BuildSettings(**json.loads(path.read_text(encoding="utf-8")))
