"""What can be wrong with a file, and with one row of it."""

from __future__ import annotations

from dataclasses import dataclass

from index.errors import IndexingError


class UnreadableFile(IndexingError):  # noqa: N818 - the words of the message
    """A file cannot be read at all, or not to its end: the reason says where and why."""


class WrongMapping(IndexingError):  # noqa: N818 - the words of the message
    """A mapping names a field or an option that does not exist."""


@dataclass(frozen=True, slots=True)
class Reject:
    """One row that was left out. `row` is a 1-based data row, or a JSON pointer in a JSON file."""

    row: str
    field: str
    value: str
    reason: str
