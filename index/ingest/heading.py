"""Where the names of a table's columns are: its first row, its second under a row of groups, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_VALUE = re.compile(
    r"https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.\w+|[\d.,]+|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T][\d:.]+)?",
    re.IGNORECASE,
)
_LONG = 80
"""A longer text is a value: nobody names a column in a paragraph."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The names of the columns in order, and how many rows they took."""

    names: tuple[str, ...]
    rows: int


def find_heading(first: Sequence[Sequence[object]], header: bool | None = None) -> Heading:
    """The heading of a table that begins with the rows `first`; unnamed columns are called by their number."""
    if not first:
        return Heading((), 0)
    if header is False or (header is None and not _could_name(first[0])):
        width = max(map(len, first))
        return Heading(tuple(map(str, range(1, width + 1))), 0)
    under_groups = len(first) > 1 and _sparse(first[0]) and _could_name(first[1]) and not _sparse(first[1])
    at = 1 if under_groups else 0
    return Heading(_names(first[at]), at + 1)


def _could_name(row: Sequence[object]) -> bool:
    texts = [str(cell).strip() for cell in row if cell not in (None, "")]
    if not texts or any(not isinstance(cell, str) for cell in row if cell not in (None, "")):
        return False
    return len(set(texts)) == len(texts) and not any(
        _VALUE.fullmatch(text) or len(text) > _LONG for text in texts
    )


def _sparse(row: Sequence[object]) -> bool:
    filled = sum(1 for cell in row if cell not in (None, ""))
    return filled <= len(row) // 2


def _names(row: Sequence[object]) -> tuple[str, ...]:
    found: list[str] = []
    for at, cell in enumerate(row, 1):
        name = " ".join(str(cell or "").replace("\ufeff", "").split()) or str(at)
        while name in found:
            name = f"{name} ({at})"
        found.append(name)
    return tuple(found)
