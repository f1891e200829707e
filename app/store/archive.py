"""A backup: the whole store as one file, the same for SQLite and PostgreSQL, that proves itself whole.

Gzip over JSON lines: a header, one line per row, and a last line with the number of rows and the SHA-256 of every
byte before it.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Date, Table, delete, insert, select, update

from .batch import RESTORED, clock, remember
from .content import canonical
from .engine import reading, writing
from .errors import ArchiveDamaged, ArchiveError, ArchiveNewer
from .schema import version
from .store import Store
from .tables import (
    CLOCK,
    ERASURES,
    EVENTS,
    EXPERIMENTS,
    EXPOSURE_ARMS,
    EXPOSURES,
    LINK_KEYS,
    LINKED_UP_TO,
    LINKS,
    META,
    OPPORTUNITIES,
    REVISIONS,
    VISITS,
    Instant,
)

_FORMAT = 1
_PEOPLE = (EXPOSURES, EXPOSURE_ARMS, EVENTS)
_KEPT = (OPPORTUNITIES, REVISIONS, LINKS, VISITS, META, EXPERIMENTS, *_PEOPLE)
_TABLES = {table.name: table for table in (*_KEPT, ERASURES, CLOCK)}
_ROWS_AT_ONCE = 1000

Row = dict[str, Any]


def backup(store: Store, file: Path) -> int:
    """Rows written to `file`: one state of the store, while it goes on being used. `file` is whole or not there."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=6) as packed:
                rows = _write(store, packed)
            raw.flush()
            os.fsync(raw.fileno())
        draft.replace(file)
    except OSError as error:
        raise ArchiveError(f"{file}: cannot be written ({error.strerror or error})") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return rows


def restore(store: Store, file: Path, known: int = 0) -> int:
    """Records that the store now holds, exactly those of the backup: all of it, or on an error nothing has changed.

    Change numbers go on from where the store was, and from `known`, the last one that an index of an earlier store
    in its place has seen: so nobody who follows them misses what came back.
    """
    with _unpacked(file) as lines, writing(store.engine) as connection:
        return _fill(connection, _rows(lines, file), known)


def check(file: Path) -> int:
    """Rows of a backup that is whole and that this program can restore; raises ArchiveError for any other file."""
    with _unpacked(file) as lines:
        return sum(1 for _ in _rows(lines, file))


@contextmanager
def _unpacked(file: Path) -> Iterator[gzip.GzipFile]:
    try:
        with gzip.open(file, "rb") as lines:
            yield lines
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ArchiveDamaged(f"{file}: incomplete or altered ({error})") from error
    except OSError as error:
        raise ArchiveError(f"{file}: cannot be read ({error.strerror or error})") from error


def _write(store: Store, packed: gzip.GzipFile) -> int:
    digest, count = sha256(), 0

    def put(value: object) -> None:
        line = canonical(value).encode() + b"\n"
        digest.update(line)
        packed.write(line)

    put({"backup": _FORMAT, "tables": version()})
    with reading(store.engine) as connection:
        streaming = connection.execution_options(yield_per=_ROWS_AT_ONCE)
        for table in _TABLES.values():
            for row in streaming.execute(select(table).order_by(*table.primary_key)).mappings():
                put([table.name, {key: _plain(value) for key, value in row.items()}])
                count += 1
    put({"rows": count, "sha256": digest.hexdigest()})
    return count


def _rows(lines: gzip.GzipFile, file: Path) -> Iterator[tuple[Table, Row]]:
    """The rows of a backup. Raises ArchiveDamaged, at the latest after the last row, when it is not whole."""
    first = lines.readline()
    _check_header(first, file)
    digest, count = sha256(first), 0
    for line in lines:
        item = _parsed(line, file)
        if isinstance(item, dict):
            if item != {"rows": count, "sha256": digest.hexdigest()} or lines.read(1):
                break
            return
        digest.update(line)
        count += 1
        try:
            table = _TABLES[item[0]]
            yield table, {column.name: _cell(column, item[1]) for column in table.columns}
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ArchiveDamaged(f"{file}: row {count} is altered ({error!r})") from error
    raise ArchiveDamaged(f"{file}: incomplete or altered: its checksum does not match after {count} rows")


def _check_header(line: bytes, file: Path) -> None:
    header = _parsed(line, file)
    if not isinstance(header, dict) or not isinstance(header.get("backup"), int):
        raise ArchiveDamaged(f"{file}: not a backup of ScholarSearch")
    if header["backup"] > _FORMAT or str(header.get("tables")) > version():
        raise ArchiveNewer(f"{file}: written by a newer ScholarSearch: update this one, then restore")


def _parsed(line: bytes, file: Path) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(line)
    except ValueError as error:
        raise ArchiveDamaged(f"{file}: incomplete or altered ({error})") from error


def _fill(connection: Connection, rows: Iterator[tuple[Table, Row]], known: int) -> int:
    connection.execute(update(CLOCK).values(sequence=CLOCK.c.sequence))  # the writers' lock
    before = max(clock(connection), known)
    # The restoration itself counts, where somebody may have to hear of it.
    offset = before + 1 if before else 0
    erased = {row.unit: row.at for row in connection.execute(select(ERASURES))}
    for table in (*_KEPT, LINK_KEYS, ERASURES):
        connection.execute(delete(table))
    records = 0
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        for table in _TABLES.values():
            mine = [row for owner, row in some if owner is table]
            for row in mine:
                if "sequence" in row:
                    row["sequence"] += offset
                if table is OPPORTUNITIES:
                    row["linked_hash"] = None  # the keys are made anew with the next pass over the records
            if table is ERASURES:
                for row in mine:
                    erased[row["unit"]] = max(row["at"], erased.get(row["unit"], row["at"]))
            elif table is CLOCK:
                for row in mine:
                    connection.execute(update(CLOCK).values(sequence=row["sequence"]))
            elif mine:
                connection.execute(insert(table), mine)
        records += sum(owner is OPPORTUNITIES and row["deleted_at"] is None for owner, row in some)
    _forget(connection, erased)
    connection.execute(delete(META).where(META.c.key == LINKED_UP_TO))
    remember(connection, {RESTORED: str(before)})
    return records


def _forget(connection: Connection, erased: dict[str, datetime]) -> None:
    """Nothing; whoever was erased, before the backup or since, does not come back with it."""
    for unit, at in erased.items():
        connection.execute(insert(ERASURES).values(unit=unit, at=at))
        for table in _PEOPLE:
            when = table.c.received_at if table is EVENTS else table.c.at
            whose = table.c.unit == unit
            if "session" in table.c:
                whose |= table.c.session == unit
            connection.execute(delete(table).where(whose, when <= at))


def _cell(column: Column[Any], row: Row) -> Any:  # noqa: ANN401 - a cell of any column
    if column.nullable and column.name not in row:
        return None  # a column that is younger than the backup
    return _typed(column.type, row[column.name])


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def _typed(kind: object, value: Any) -> Any:  # noqa: ANN401 - a cell of any column
    if value is None:
        return None
    if isinstance(kind, Instant):
        return datetime.fromisoformat(value)
    return date.fromisoformat(value) if isinstance(kind, Date) else value
