"""One thing that was looked at, and what it means for serving. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["ok", "absent", "warning", "failure"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A looked-at thing.

    status: ok; absent (optional and not here); warning (serves, but worse); failure (cannot serve).
    fix: the command that mends it, for everything that is not ok and can be mended. facts: plain JSON values.
    """

    section: str
    name: str
    status: Status
    detail: str
    fix: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The finding as plain JSON values."""
        return {
            "section": self.section,
            "name": self.name,
            "status": self.status,
            "detail": self.detail,
            "fix": self.fix,
            **dict(self.facts),
        }


def can_serve(findings: Sequence[Finding]) -> bool:
    """Whether nothing that was found keeps the service from answering."""
    return all(finding.status != "failure" for finding in findings)


def report(findings: Sequence[Finding], version: str | None) -> dict[str, object]:
    """Everything found, as plain JSON values; `problems` are the findings that ask for a remedy."""
    return {
        "version": version,
        "can_serve": can_serve(findings),
        "findings": [finding.to_json() for finding in findings],
        "problems": [f.to_json() for f in findings if f.status in ("warning", "failure")],
    }
