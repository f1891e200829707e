"""Exposures and events out of the store for other programs: two files, as Parquet or as JSON lines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Connection, Table, select

from app.store import Store
from app.store.batch import IDS_AT_ONCE
from app.store.engine import reading
from app.store.tables import EVENTS, EXPOSURE_ARMS, EXPOSURES

Format = Literal["parquet", "jsonl"]
FORMATS: tuple[str, ...] = get_args(Format)
_ROWS_AT_ONCE = 1000
Row = dict[str, Any]


def export(store: Store, form: str, folder: Path, since: datetime, until: datetime) -> dict[str, int]:
    """How many rows were written by file: all served or received from `since` to before `until`, of one state.

    Each file is whole or not there. Raises StoreError, or OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write = {"parquet": _parquet, "jsonl": _lines}[form]
    with reading(store.engine) as connection:
        return {
            "exposures": _whole(
                folder / f"exposures.{form}", write, _EXPOSURES, _exposures(connection, since, until)
            ),
            "events": _whole(folder / f"events.{form}", write, _EVENTS, _events(connection, since, until)),
        }


_EXPOSURES = {
    **{"query_id": "text", "at": "instant", "unit": "text", "session": "text", "consent": "bool"},
    **{"text": "text", "filters": "json", "query_hash": "text", "lang": "text", "system": "text"},
    **{"fingerprint": "text", "precision": "text", "offset": "int", "hits": "json", "total": "int"},
    **{"total_ms": "float", "degraded": "json", "experiments": "json", "flag": "text"},
}
_EVENTS = {
    **{"event_id": "text", "query_id": "text", "type": "text", "doc_id": "text", "rank": "int"},
    **{"shown_rank": "int", "dwell_ms": "int", "at": "instant", "received_at": "instant", "unit": "text"},
    **{"session": "text", "flag": "text"},
}


def _exposures(connection: Connection, since: datetime, until: datetime) -> Iterator[Row]:
    within = (EXPOSURES.c.at >= since) & (EXPOSURES.c.at < until)
    rows = _stream(connection, EXPOSURES, within, EXPOSURES.c.at)
    while some := list(islice(rows, IDS_AT_ONCE)):
        arms = _arms(connection, [row["query_id"] for row in some])
        for row in some:
            parsed = {name: None if row[name] is None else json.loads(row[name]) for name in _PARSED}
            yield {**row, **parsed, "experiments": arms.get(row["query_id"], [])}


_PARSED = ("filters", "hits", "degraded")


def _events(connection: Connection, since: datetime, until: datetime) -> Iterator[Row]:
    within = (EVENTS.c.received_at >= since) & (EVENTS.c.received_at < until)
    return _stream(connection, EVENTS, within, EVENTS.c.received_at)


def _stream(
    connection: Connection, table: Table, within: ColumnElement[bool], by: ColumnElement[datetime]
) -> Iterator[Row]:
    wanted = select(table).where(within).order_by(by, *table.primary_key)
    for row in connection.execute(wanted.execution_options(yield_per=_ROWS_AT_ONCE)).mappings():
        yield dict(row)


def _arms(connection: Connection, query_ids: Sequence[str]) -> dict[str, list[Row]]:
    arms = EXPOSURE_ARMS.c
    found: dict[str, list[Row]] = defaultdict(list)
    wanted = select(EXPOSURE_ARMS).where(arms.query_id.in_(query_ids)).order_by(arms.key, arms.version)
    for row in connection.execute(wanted).mappings():
        found[row["query_id"]].append({name: row[name] for name in ("key", "version", "variant", "bucket")})
    return found


def _whole(file: Path, write: Any, columns: dict[str, str], rows: Iterator[Row]) -> int:  # noqa: ANN401
    draft = file.with_name(f"{file.name}.part")
    try:
        count: int = write(draft, columns, rows)
        draft.replace(file)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return count


def _lines(file: Path, columns: dict[str, str], rows: Iterator[Row]) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as out:
        for count, row in enumerate(rows, start=1):  # noqa: B007 - the count is the answer
            plain = {
                name: row[name].isoformat() if isinstance(row[name], datetime) else row[name]
                for name in columns
            }
            out.write(json.dumps(plain, ensure_ascii=False) + "\n")
    return count


def _parquet(file: Path, columns: dict[str, str], rows: Iterator[Row]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        **{"text": pa.string(), "json": pa.string(), "instant": pa.timestamp("us", tz="UTC")},
        **{"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64()},
    }
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    count = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as out:
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            plain = [
                {name: _text(row[name]) if kind == "json" else row[name] for name, kind in columns.items()}
                for row in some
            ]
            out.write_table(pa.Table.from_pylist(plain, schema))
            count += len(some)
    return count


def _text(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
