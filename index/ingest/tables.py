"""Rows of a delimited text: any delimiter, quoting, byte order mark and encoding; the heading found or made up."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from index.ingest.encoding import detect
from index.ingest.heading import Heading, find_heading
from index.ingest.problem import Reject
from index.ingest.quoting import quoted_rows

_HEAD = 1 << 16
_FIELD_LIMIT = 16 << 20
_DELIMITERS = ",;\t|"


def read(
    stream: io.BufferedReader, header: bool | None
) -> Iterator[tuple[str, Mapping[str, object]] | Reject]:
    """The rows of a table, numbered from 1; heading rows and empty rows are not counted."""
    head = _whole_head(stream)
    encoding = detect(head)
    delimiter = find_delimiter(head.decode(encoding, errors="replace"))
    # newline="" leaves line breaks inside quotes to the reader, as the csv module asks for.
    text = io.TextIOWrapper(stream, encoding, errors="replace", newline="")
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        yield from named_rows(quoted_rows(_without_nul(text), delimiter), header)
    finally:
        # The stream belongs to the caller; a forgotten wrapper would close it.
        text.detach()


def named_rows(
    rows: Iterator[Sequence[object]], header: bool | None
) -> Iterator[tuple[str, Mapping[str, object]] | Reject]:
    """Rows of cells with the names of their columns; a row wider than the heading is a reject."""
    filled = _filled(rows)
    first = list(islice(filled, 3))
    heading = find_heading(first, header)
    for number, row in enumerate(chain(first[heading.rows :], filled), 1):
        yield _named(str(number), row, heading)


def find_delimiter(sample: str) -> str:
    """The delimiter that cuts the first lines into the same number of cells, more than one; else a comma."""
    best, score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            widths = [
                len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row
            ]
        except csv.Error:
            continue
        # The last line of a sample may be cut.
        widths = widths[:-1] if len(widths) > 2 else widths
        if not widths:
            continue
        (width, times), *_ = Counter(widths).most_common(1)
        found = (times / len(widths), width)
        if width > 1 and found > score:
            best, score = delimiter, found
    return best


def _whole_head(stream: io.BufferedReader) -> bytes:
    head = stream.peek(_HEAD)[:_HEAD]
    cut = max(head.rfind(b"\n"), 0)
    # UTF-16 ends a line with a zero byte after or before it: keep pairs whole.
    return head[: cut + 1 + (cut + 1) % 2] if cut else head


def _without_nul(text: Iterable[str]) -> Iterator[str]:
    """Lines without NUL characters, which the csv module refuses."""
    return (line.replace("\0", "") for line in text)


def _filled(rows: Iterator[Sequence[object]]) -> Iterator[Sequence[object]]:
    return (row for row in rows if any(cell not in (None, "") and str(cell).strip() for cell in row))


def _named(number: str, row: Sequence[object], heading: Heading) -> tuple[str, Mapping[str, object]] | Reject:
    if row and isinstance(row[0], csv.Error):
        return Reject(number, "row", "", f"cannot be read: {row[0]}")
    names = heading.names
    beyond = [str(cell) for cell in row[len(names) :] if cell not in (None, "")]
    if beyond:
        reason = f"has {len(row)} cells where the heading has {len(names)}: the columns have shifted"
        return Reject(number, "row", " | ".join(beyond)[:200], reason)
    return number, {name: cell for name, cell in zip(names, row, strict=False) if cell not in (None, "")}
