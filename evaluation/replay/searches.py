"""A log of searches and of what came of them, as the service exports it: JSON Lines (also .gz) or Parquet.

A row that has `hits` is a search that was answered, a row that has `event_id` is something its user did; both may
stand in one file, or in several of one folder. Read are

    searches   query_id, at, hits [[doc_id, rank, propensity, team] …], offset, and where known unit, session, text,
               query_hash, filters, lang, system, fingerprint, flag
    events     event_id, query_id, type (impression, click, dwell, apply, save, refine), doc_id, dwell_ms, flag

Rows with a flag (robots, late or unshown events) are left out, as are events of searches that are not there.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .decisions import ReplayError

Row = Mapping[str, Any]
READ_MS = 30_000.0
"""From how long a stay a hit counts as read."""
_SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".parquet")


@dataclass(frozen=True, slots=True)
class LoggedHit:
    """What stood at a rank (from 1). propensity: its chance to stand there; None where nothing was shuffled."""

    doc_id: str
    rank: int
    propensity: float | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True)
class Deed:
    """What a user did with one hit. dwell_ms: the longest stay that was told; None where none was."""

    clicked: bool = False
    dwell_ms: float | None = None
    applied: bool = False

    def satisfied(self, refined: bool) -> bool:
        """Whether the hit was what was looked for: applied for, saved or read.

        How long a hit was read is often not told; then a click counts, unless the asker searched again (`refined`).
        """
        read = not refined if self.dwell_ms is None else self.dwell_ms >= READ_MS
        return self.applied or (self.clicked and read)


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """One page of hits that was served. unit: who searched, or the session, or else the search alone.

    text: None where the asker did not consent. query: the same for searches of the same words. filters: as they were
    asked; None where the log does not say. deeds: by document. refined: the asker searched again in other words.
    """

    query_id: str
    at: datetime
    unit: str
    hits: tuple[LoggedHit, ...]
    offset: int = 0
    text: str | None = None
    query: str = ""
    filters: Mapping[str, Any] | None = None
    lang: str | None = None
    system: str | None = None
    fingerprint: str | None = None
    deeds: Mapping[str, Deed] = field(default_factory=dict)
    refined: bool = False

    def deed(self, doc_id: str) -> Deed:
        """What was done with a hit; nothing where nothing is known."""
        return self.deeds.get(doc_id, _NOTHING)


_NOTHING = Deed()


def read_searches(path: Path) -> list[LoggedSearch]:
    """The searches of a file or folder by time, each with what came of it. Raises ReplayError naming file and row."""
    searches: dict[str, LoggedSearch] = {}
    deeds: dict[str, dict[str, Deed]] = {}
    refined: set[str] = set()
    for file in _files(path):
        for number, row in _rows(file):
            try:
                _take(row, searches, deeds, refined)
            except (KeyError, TypeError, ValueError, IndexError) as fault:
                raise ReplayError(f"neither a search nor an event ({fault!r:.120})", file, number) from fault
    found = [
        LoggedSearch(
            **{name: getattr(one, name) for name in _STATED},
            deeds=deeds.get(one.query_id, {}),
            refined=one.query_id in refined,
        )
        for one in searches.values()
    ]
    return sorted(found, key=lambda one: (one.at, one.query_id))


_STATED = (
    *(
        "query_id",
        "at",
        "unit",
        "hits",
        "offset",
        "text",
        "query",
        "filters",
        "lang",
        "system",
        "fingerprint",
    ),
)


def _take(
    row: Row, searches: dict[str, LoggedSearch], deeds: dict[str, dict[str, Deed]], refined: set[str]
) -> None:
    if row.get("flag"):
        return
    if row.get("hits") is not None:
        one = _search(row)
        searches[one.query_id] = one
    elif "event_id" in row:
        query_id, kind = str(row["query_id"]), row["type"]
        if kind == "refine":
            refined.add(query_id)
        elif kind != "impression" and row.get("doc_id") is not None:
            of_search = deeds.setdefault(query_id, {})
            doc_id = str(row["doc_id"])
            of_search[doc_id] = _grown(of_search.get(doc_id, _NOTHING), kind, row.get("dwell_ms"))
    elif "query_id" not in row:
        raise KeyError("query_id")


def _grown(deed: Deed, kind: str, dwell_ms: Any) -> Deed:  # noqa: ANN401 - any JSON
    """The deed with one more event; who stays or applies has opened the hit, whether or not the click arrived."""
    stay = deed.dwell_ms
    if dwell_ms is not None:
        stay = max(float(dwell_ms), stay or 0.0)
    return Deed(True, stay, deed.applied or kind in ("apply", "save"))


def _search(row: Row) -> LoggedSearch:
    query_id = str(row["query_id"])
    filters = _parsed(row.get("filters"))
    return LoggedSearch(
        query_id=query_id,
        at=_instant(row["at"]),
        unit=str(row.get("unit") or row.get("session") or query_id),
        hits=tuple(_hit(hit) for hit in _parsed(row["hits"])),
        offset=int(row.get("offset") or 0),
        text=row.get("text"),
        query=str(row.get("query_hash") or row.get("text") or query_id),
        filters=None if filters is None else dict(filters),
        lang=row.get("lang"),
        system=row.get("system"),
        fingerprint=row.get("fingerprint"),
    )


def _hit(hit: Any) -> LoggedHit:  # noqa: ANN401 - any JSON
    if isinstance(hit, Mapping):
        doc_id = hit["doc_id"] if "doc_id" in hit else hit["id"]
        hit = (doc_id, hit["rank"], hit.get("propensity"), hit.get("team"))
    doc_id, rank, propensity, team = (*hit, None, None)[:4]
    return LoggedHit(str(doc_id), int(rank), None if propensity is None else float(propensity), team)


def _parsed(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """The value, read as JSON where a table holds it as text."""
    return json.loads(value) if isinstance(value, str) else value


def _instant(value: str | float | datetime) -> datetime:
    """An aware instant from ISO 8601, seconds since 1970, or what a table holds."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC)
    found = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return (path,)
    found = sorted(file for file in path.iterdir() if file.name.endswith(_SUFFIXES))
    if not found:
        raise ReplayError(f"no log is in this folder: {', '.join(_SUFFIXES)}", path)
    return found


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    """(number from 1, row) of a file."""
    try:
        yield from enumerate(_parquet(path) if path.suffix == ".parquet" else _lines(path), start=1)
    except (OSError, EOFError, UnicodeDecodeError) as fault:
        raise ReplayError(f"cannot be read ({fault})", path) from fault


def _lines(path: Path) -> Iterator[Row]:
    with (
        gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    ) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as fault:
                    raise ReplayError(f"not JSON ({fault})", path, number) from fault
                if not isinstance(row, dict):
                    raise ReplayError("not a JSON object", path, number)
                yield row


def _parquet(path: Path) -> Iterable[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches():
                yield from batch.to_pylist()
    except pa.ArrowException as fault:
        raise ReplayError(f"not Parquet ({fault})", path) from fault
