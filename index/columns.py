"""The facts of all documents of a snapshot as numpy columns, for masks, facets and sorting.

On disk they are .npy files and one JSON file; loading maps them into memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from index.attribute import Attribute
from index.document import Amount, Document
from index.errors import SnapshotError
from index.reach import admitted, hosting
from index.splice import Splice
from index.timetable import NO_DAY, Codes, Shown, Timetable

_FORMAT = 2
_FACTS = "columns.json"
_MONTHS_OF_A_YEAR = 12.0


def _languages(document: Document) -> tuple[str, ...]:
    """The primary tags of the languages a document can be read in."""
    tags = (document.language, *document.translations)
    return tuple(tag.partition("-")[0].lower() for tag in tags if tag)


def _one(value: str | None) -> tuple[str, ...] | None:
    return None if value is None else (value,)


def _currency(amount: Amount | None) -> str | None:
    """The currency of a stated sum."""
    return amount.currency if amount and (amount.min is not None or amount.max is not None) else None


_ATTRIBUTES: Mapping[str, Callable[[Document], Iterable[str] | None]] = MappingProxyType(
    {
        "host_countries": hosting,
        "nationalities": admitted,
        "levels": lambda document: document.levels,
        "fields": lambda document: document.fields,
        "languages": _languages,
        "provider": lambda document: _one(document.provider),
        "currency": lambda document: _one(_currency(document.amount)),
        "programme": lambda document: _one(document.programme_id),
    }
)


@dataclass(frozen=True, slots=True)
class Columns:
    """The facts of n documents, row by row. All arrays are read-only.

    timetable: their windows. attributes: the facts that are sets of values, by name. least, most: (n,)
    float64 amounts, a monthly one as a year's worth, NaN where not stated. programmes: (n,) int32, the first row
    of the programme: equal for the rows of one programme and different otherwise.
    """

    timetable: Timetable
    attributes: Mapping[str, Attribute]
    least: NDArray[np.float64]
    most: NDArray[np.float64]
    programmes: NDArray[np.int32]

    @classmethod
    def _read_only(
        cls,
        timetable: Timetable,
        attributes: Mapping[str, Attribute],
        least: NDArray[np.float64],
        most: NDArray[np.float64],
    ) -> Self:
        columns = cls(
            timetable, MappingProxyType(attributes), least, most, _programmes(attributes["programme"])
        )
        for _, array in columns._named():
            array.flags.writeable = False
        columns.programmes.flags.writeable = False
        return columns

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Self:
        """The columns of documents in row order."""
        return cls._read_only(
            timetable=Timetable.of([document.windows for document in documents]),
            attributes={
                name: Attribute.of([read(one) for one in documents]) for name, read in _ATTRIBUTES.items()
            },
            least=np.array([_yearly(document.amount, "min") for document in documents], np.float64),
            most=np.array([_yearly(document.amount, "max") for document in documents], np.float64),
        )

    def spliced(self, splice: Splice, added: Columns) -> Self:
        """The columns of these documents and of those `added`, at their new rows."""
        return self._read_only(
            timetable=self.timetable.spliced(splice, added.timetable),
            attributes={
                name: attribute.spliced(splice, added.attributes[name])
                for name, attribute in self.attributes.items()
            },
            least=splice.merged(self.least, added.least),
            most=splice.merged(self.most, added.most),
        )

    def __len__(self) -> int:
        return len(self.programmes)

    def states(self, as_of: datetime) -> Codes:
        """(n,) the availability of each document, as codes of `AVAILABILITY`."""
        return self.timetable.states(as_of)

    def shown(self, as_of: datetime) -> Shown:
        """The availability of each document and the window that shows it."""
        return self.timetable.shown(as_of)

    def closes_on(self, as_of: datetime) -> NDArray[np.datetime64]:
        """(n,) datetime64[D], the deadline of the shown window, NaT where none is known."""
        days = self.timetable.closes_on(self.shown(as_of))
        dates = days.astype("datetime64[D]")
        dates[days == NO_DAY] = np.datetime64("NaT")
        return dates

    def save(self, directory: Path) -> None:
        """Nothing; the columns lie in `directory` as .npy and JSON files."""
        directory.mkdir(parents=True, exist_ok=True)
        for name, array in self._named():
            np.save(directory / f"{name}.npy", array, allow_pickle=False)
        facts = {
            "format": _FORMAT,
            "documents": len(self),
            "zones": self.timetable.zone_names,
            "values": {name: attribute.values for name, attribute in self.attributes.items()},
        }
        (directory / _FACTS).write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, directory: Path, mmap: bool = True) -> Self:
        """The columns saved in `directory`, mapped into memory unless `mmap` is false.

        Raises SnapshotError when a file is missing, damaged or of another format.
        """
        try:
            facts = json.loads((directory / _FACTS).read_text(encoding="utf-8"))
            if facts["format"] != _FORMAT:
                raise SnapshotError(f"{directory / _FACTS}: format {facts['format']} is not {_FORMAT}")
            columns = cls._read_only(
                timetable=Timetable(
                    **{name: _array(directory, f"windows.{name}", mmap) for name in Timetable.arrays()},
                    zone_names=tuple(facts["zones"]),
                ),
                attributes={
                    name: _attribute(directory, name, facts["values"][name], mmap) for name in _ATTRIBUTES
                },
                least=_array(directory, "least", mmap),
                most=_array(directory, "most", mmap),
            )
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise SnapshotError(f"{directory}: columns cannot be read: {error}") from error
        columns._check(directory, facts["documents"])
        return columns

    def _named(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Every array with the name of its file."""
        for name in Timetable.arrays():
            yield f"windows.{name}", getattr(self.timetable, name)
        for name, attribute in self.attributes.items():
            yield f"{name}.starts", attribute.starts
            yield f"{name}.rows", attribute.rows
            yield f"{name}.stated", attribute.stated
        yield from (("least", self.least), ("most", self.most))

    def _check(self, directory: Path, documents: object) -> None:
        """Nothing when all parts speak of the same number of documents and windows; else SnapshotError."""
        n, table = len(self), self.timetable
        windows = int(table.starts[-1]) if len(table.starts) else -1
        sound = (
            n == documents == len(self.least) == len(self.most) == len(table.starts) - 1
            and all(len(getattr(table, name)) == windows for name in Timetable.arrays() if name != "starts")
            and all(len(attribute.stated) == n for attribute in self.attributes.values())
            and all(len(part.starts) == len(part.values) + 1 for part in self.attributes.values())
            and all(part.starts[-1] == len(part.rows) for part in self.attributes.values())
        )
        if not sound:
            raise SnapshotError(f"{directory}: columns do not fit together")


def _attribute(directory: Path, name: str, values: list[str], mmap: bool) -> Attribute:
    parts = (_array(directory, f"{name}.{part}", mmap) for part in ("starts", "rows", "stated"))
    return Attribute.read(values, *parts)


def _array(directory: Path, name: str, mmap: bool) -> NDArray[Any]:
    array = np.load(directory / f"{name}.npy", mmap_mode="r" if mmap else None, allow_pickle=False)
    # As a plain array: the map keeps the bytes alive, its class would slow every operation.
    plain: NDArray[Any] = array.view(np.ndarray)
    plain.flags.writeable = False
    return plain


def _yearly(amount: Amount | None, end: str) -> float:
    """One end of an amount, a monthly one times twelve; NaN when not stated."""
    value: float | None = getattr(amount, end, None)
    if amount is None or value is None:
        return float("nan")
    return value * _MONTHS_OF_A_YEAR if amount.period == "month" else value


def _programmes(programme: Attribute) -> NDArray[np.int32]:
    """(n,) the first row of each row's programme; the row itself where it has none."""
    codes = np.arange(len(programme.stated), dtype=np.int32)
    if programme.values:
        codes[programme.rows] = np.repeat(programme.rows[programme.starts[:-1]], np.diff(programme.starts))
    return codes
