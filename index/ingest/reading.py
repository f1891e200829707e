"""A file to documents and rejects: the straight line of ingest, one row at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from index.document import Document, Doubt
from index.errors import RecordError
from index.flat import FLAT_KEYS
from index.ingest.assemble import Reading, assemble
from index.ingest.clean.days import Order
from index.ingest.clean.text import sound
from index.ingest.identity import fingerprint, public_id, source_name
from index.ingest.mapping import ColumnMap
from index.ingest.problem import Reject, UnreadableFile
from index.ingest.source import Row, read_rows
from index.ingest.suggest import date_order, suggest
from index.record import parse_record
from index.sheet import is_sheet_row, sheet_record

SAMPLE = 200
"""Rows that are looked at before the first is read: they decide the map, the language and the order of dates."""
_RECORD_SIGNS = frozenset(FLAT_KEYS | {"windows", "host_countries", "eligible_nationalities", "levels"}) - {
    "deadline",
    "currency",
}


def read_file(path: Path, form: str = "auto", by: ColumnMap | None = None) -> Iterator[Reading | Reject]:
    """Every row of a file, in order, as a reading or as a reject. Raises UnreadableFile where the file breaks off."""
    yield from read_stream(read_rows(path, form, by.header if by else None), _stem(path), by)


def read_stream(
    rows: Iterator[Row | Reject], stem: str, by: ColumnMap | None = None
) -> Iterator[Reading | Reject]:
    """As `read_file`, from rows at hand; `stem` names the source when the map does not."""
    sample, rows = _sampled(rows)
    known = [row for item in sample if not isinstance(item, Reject) for row in (item[1],)]
    source = source_name(by.source if by and by.source else stem)
    seen = _Seen()
    if by is None and known and _is_record(known[0]):
        for item in chain(sample, rows):
            yield item if isinstance(item, Reject) else seen.checked(_native(*item))
        return
    if by is None and known and all(map(is_sheet_row, known)):
        for item in chain(sample, rows):
            yield item if isinstance(item, Reject) else seen.checked(_exported(*item))
        return
    made = by or suggest(known)
    order = made.date_order or _order(known, made)
    for item in chain(sample, rows):
        yield item if isinstance(item, Reject) else seen.checked(assemble(*item, made, source, order))


def _sampled(rows: Iterator[Row | Reject]) -> tuple[list[Row | Reject], Iterator[Row | Reject]]:
    """The first rows and the others; a file that breaks off among the first does so after them all the same."""
    sample: list[Row | Reject] = []
    try:
        sample.extend(islice(rows, SAMPLE))
    except UnreadableFile as error:
        return sample, _broken(error)
    return sample, rows


def _broken(error: UnreadableFile) -> Iterator[Row | Reject]:
    yield from ()
    raise error


def propose(path: Path, form: str = "auto") -> ColumnMap:
    """The map that would be used for a file that brings none."""
    sample, _ = _sampled(read_rows(path, form))
    made = suggest([item[1] for item in sample if not isinstance(item, Reject)])
    return replace(made, source=source_name(_stem(path)))


class _Seen:
    """The ids of one file with what they stood for: a repeat with other facts gets an id of its own.

    Holds two small numbers per row, so that a million rows fit beside the rest.
    """

    def __init__(self) -> None:
        self._count: dict[int, int] = {}
        self._place: dict[int, int] = {}

    def checked(self, read: Reading | Reject) -> Reading | Reject:
        """`read`, or the reading under another id."""
        if isinstance(read, Reject):
            return read
        own = read.document.doc_id
        content, name = fingerprint(repr(read.document)), fingerprint(own)
        at = self._place.get(content)
        if at is None:
            at = self._count[name] = self._count.get(name, 0) + 1
            self._place[content] = at
        return read if at == 1 else replace(read, document=_renamed(read.document, f"{own[:118]}.{at}"))


def _renamed(document: Document, doc_id: str) -> Document:
    reason = "an earlier row of the file has this id and says something else"
    doubts = (Doubt("id", document.doc_id, reason), *document.doubts)
    return replace(document, doc_id=doc_id, doubts=doubts)


def _native(number: str, row: Mapping[str, object]) -> Reading | Reject:
    """A record of the public or the flat form, its texts made sound first."""
    try:
        told = {key: _sound(value) for key, value in row.items()}
        own = told.get("id")
        # An id of foreign characters ("nsf/25-522") is made fit; a missing one is refused.
        return Reading(number, parse_record({**told, "id": public_id(own) if isinstance(own, str) else own}))
    except RecordError as error:
        return Reject(number, error.field, str(error.value)[:200], error.reason)


def _exported(number: str, row: Mapping[str, object]) -> Reading | Reject:
    """A record out of a table that an export of ours has written."""
    try:
        return Reading(number, parse_record(sheet_record(row)))
    except RecordError as error:
        return Reject(number, error.field, str(error.value)[:200], error.reason)


def _sound(value: object) -> object:
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, list):
        return [_sound(item) for item in value]
    if isinstance(value, dict):
        return {key: _sound(item) for key, item in value.items()}
    return value


def _is_record(row: Mapping[str, object]) -> bool:
    """Whether a row is a record of ours: its keys say so, and it holds more than texts, as the cells of a table do."""
    typed = any(value is not None and not isinstance(value, str) for value in row.values())
    return typed and {"id", "title"} <= row.keys() and len(_RECORD_SIGNS & row.keys()) >= 2


def _order(rows: Sequence[Mapping[str, object]], by: ColumnMap) -> Order | None:
    return date_order(rows, (*by.columns_of("deadline"), *by.columns_of("opens")))


def _stem(path: Path) -> str:
    return path.name.split(".")[0]
