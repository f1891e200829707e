"""The rows of delimited text, where a quote that is never closed costs its own row and not those after it."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

_MOST_LINES = 1000
"""A cell of more lines is none: the quote that began it was never closed."""
_OPEN = "the quote that opens on line {} is not closed"


class _Unclosed(Exception):  # noqa: N818 - what the reader is stopped for
    """A row runs on for too many lines."""


class _Lines:
    """Lines of a text one by one; those of the row being read can be taken back."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._again: deque[str] = deque()
        self.row: list[str] = []
        self.number = 0
        """Of the last line given, from 1."""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if len(self.row) == _MOST_LINES:
            raise _Unclosed
        line = self._again.popleft() if self._again else next(self._lines)
        self.row.append(line)
        self.number += 1
        return line

    def back(self, count: int) -> None:
        """Gives the last `count` lines of the row again."""
        self._again.extendleft(reversed(self.row[len(self.row) - count :]))
        self.number -= count
        self.row.clear()


def quoted_rows(lines: Iterable[str], delimiter: str) -> Iterator[Sequence[object]]:
    """The rows of cells of `lines`; a row that cannot be read is a single cell that holds the csv.Error.

    Quotes inside a cell that is not closed by them are taken as they stand, as spreadsheets do.
    """
    source = _Lines(lines)
    width = 0
    while True:
        source.row.clear()
        try:
            row = next(csv.reader(source, delimiter=delimiter, strict=True))
        except StopIteration:
            return
        except (csv.Error, _Unclosed) as error:
            yield _loose(source, delimiter, width, error)
            continue
        width = width or len(row)
        yield row


def _loose(source: _Lines, delimiter: str, width: int, error: Exception) -> Sequence[object]:
    """The row that strict rules refuse: by looser ones, or an error when its quote swallowed other rows."""
    lines = list(source.row)
    first = source.number - len(lines) + 1
    ended = isinstance(error, _Unclosed) or "unexpected end" in str(error)
    if ended or (len(lines) > 1 and _is_row(lines[-1], delimiter, width)):
        source.back(len(lines) - 1)
        return (csv.Error(f"{_OPEN.format(first)}: {lines[0].strip()[:120]}"),)
    try:
        return next(csv.reader(iter(lines), delimiter=delimiter), [])
    except csv.Error as unreadable:
        return (unreadable,)


def _is_row(line: str, delimiter: str, width: int) -> bool:
    """Whether a line is a whole row by itself, of the table's width."""
    try:
        return len(next(csv.reader([line], delimiter=delimiter, strict=True), [])) == width > 0
    except csv.Error:
        return False
