"""One version of an experiment as it stands: what it is, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from .spec import Experiment, State, canonical


@dataclass(frozen=True, slots=True)
class Version:
    """A version. stopped_at, stop_reason: None while it is not stopped. sequence: of its last change."""

    experiment: Experiment
    number: int
    state: State
    created_at: datetime
    stopped_at: datetime | None
    stop_reason: str | None
    sequence: int

    @property
    def key(self) -> str:
        """The experiment's key."""
        return self.experiment.key

    @property
    def etag(self) -> str:
        """Changes with everything that is shown of it."""
        text = f"{self.number} {self.state} {self.stopped_at} {canonical(self.experiment)}"
        return f'"{sha256(text.encode()).hexdigest()[:16]}"'

    def takes_in(self, at: datetime) -> bool:
        """Whether units take part at that instant."""
        return self.state == "running" and self.experiment.runs(at)

    def record(self) -> dict[str, Any]:
        """The version as plain JSON values."""
        return {
            **self.experiment.record(),
            "version": self.number,
            "state": self.state,
            "created_at": self.created_at.isoformat(),
            "stopped_at": None if self.stopped_at is None else self.stopped_at.isoformat(),
            "stop_reason": self.stop_reason,
        }


def latest(versions: Iterable[Version]) -> dict[str, Version]:
    """The newest version of each experiment, by key in ascending order."""
    found: dict[str, Version] = {}
    for version in versions:
        if version.key not in found or found[version.key].number < version.number:
            found[version.key] = version
    return dict(sorted(found.items()))
