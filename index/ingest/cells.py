"""The cells of a row under the names of its columns: nested objects opened, lists and numbers as texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from index.ingest.clean.rounds import cell_texts


@dataclass(frozen=True, slots=True)
class Cells:
    """One row; what was made of a column is kept, for several rules look at the same one."""

    row: Mapping[str, object]
    _texts: dict[str, list[str]] = field(default_factory=dict, repr=False, compare=False)

    def cell(self, column: str) -> object:
        """The raw value of a column; "a.b" is b inside a, unless a column is called just that."""
        if column in self.row:
            return self.row[column]
        value: object = self.row
        for part in column.split("."):
            if not isinstance(value, Mapping) or part not in value:
                return None
            value = value[part]
        return value

    def texts(self, columns: tuple[str, ...]) -> list[str]:
        """The texts that the columns hold, in their order, sound and without words for nothing."""
        if len(columns) == 1:
            return self._of(columns[0])
        return [text for column in columns for text in self._of(column)]

    def _of(self, column: str) -> list[str]:
        found = self._texts.get(column)
        if found is None:
            found = self._texts[column] = cell_texts(self.cell(column))
        return found


def paths(row: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every column of a row with its value, nested objects as "a.b"."""
    for key, value in row.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping) and value and prefix.count(".") < 3:
            yield from paths(value, f"{path}.")
        else:
            yield path, value
