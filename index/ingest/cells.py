"""The cells of a row under the names of its columns: nested objects opened, lists and numbers as texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from index.ingest.clean.rounds import cell_texts


def cell(row: Mapping[str, object], column: str) -> object:
    """The raw value of a column; "a.b" is b inside a, unless a column is called just that."""
    if column in row:
        return row[column]
    value: object = row
    for part in column.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def texts(row: Mapping[str, object], columns: tuple[str, ...]) -> list[str]:
    """The texts that the columns hold, in their order, sound and without words for nothing."""
    return [text for column in columns for text in cell_texts(cell(row, column))]


def paths(row: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every column of a row with its value, nested objects as "a.b"."""
    for key, value in row.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping) and value and prefix.count(".") < 3:
            yield from paths(value, f"{path}.")
        else:
            yield path, value
