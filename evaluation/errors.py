"""What can go wrong while rankings meet judgements.

EvaluationError
├── TestSetError       a test set cannot be read: names file and line
│   └── UnknownSplit   the set has no such split
├── RunError           a run cannot be written, read or judged
├── GradesError        graded pairs cannot be read or put together: names file and line
└── ThresholdError     a gate on a figure cannot be understood
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar


class EvaluationError(Exception):
    """Base of every error raised by `evaluation`; `path` and `line` (1-based) say where, when known."""

    def __init__(self, reason: str, path: Path | None = None, line: int | None = None) -> None:
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + reason)
        self.reason = reason
        self.path = path
        self.line = line


class TestSetError(EvaluationError):
    """A test set cannot be read."""

    __test__: ClassVar[bool] = False  # the name starts like a test class, and pytest would collect it


class UnknownSplit(TestSetError):  # noqa: N818 - the word a caller would use
    """The set has no such split."""


class RunError(EvaluationError):
    """A run cannot be written, read or judged."""


class GradesError(EvaluationError):
    """Graded pairs cannot be read or put together."""


class ThresholdError(EvaluationError):
    """A gate on a figure cannot be understood."""
