"""Sheets for judges: CSV or JSON lines, one pair a row, with what a judge has to know and an empty grade."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.errors import GradesError
from evaluation.lines import json_objects
from evaluation.perquery import safe
from evaluation.testset import TestQuery

from .pool import Pair

COLUMNS = ("query_id", "query", "as_of", "doc_id", "title", "text", "facts", "grade")
HIGHEST_GRADE = 3
_LONGEST_TEXT = 1_200
_FACTS = (
    "provider",
    "host_countries",
    "eligible_nationalities",
    "levels",
    "fields",
    "amount",
    "windows",
    "url",
)


@dataclass(frozen=True, slots=True)
class Graded:
    """What one judge said of one pair. note: a remark, "" if none."""

    query_id: str
    doc_id: str
    grade: int
    note: str = ""


def write_sheet(
    path: Path,
    pairs: Iterable[Pair],
    queries: Mapping[str, TestQuery],
    corpus: Mapping[str, Mapping[str, object]],
) -> int:
    """How many rows were written into `path`; JSON lines if its name ends so, else CSV that a spreadsheet may open."""
    rows = [_row(pair, queries[pair.query_id], corpus.get(pair.doc_id, {})) for pair in pairs]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        if path.suffix == ".jsonl":
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(safe([str(row[column]) for column in COLUMNS]) for row in rows)
    return len(rows)


def read_sheet(path: Path) -> list[Graded]:
    """The graded rows of a sheet; rows without a grade are left out.

    Raises GradesError, naming file and line, for a missing column, a grade that is no whole number from 0 to
    `HIGHEST_GRADE`, or a pair that has two grades.
    """
    grades: dict[Pair, Graded] = {}
    for number, row in _rows(path):
        for column in ("query_id", "doc_id", "grade"):
            if column not in row:
                raise GradesError(f"no column `{column}`", path, number)
        text = str(row["grade"] if row["grade"] is not None else "").strip()
        if not text:
            continue
        if not text.isdecimal() or int(text) > HIGHEST_GRADE:
            raise GradesError(
                f"`grade` must be a whole number from 0 to {HIGHEST_GRADE}, got {text!r:.40}", path, number
            )
        pair = Pair(_plain(row["query_id"]), _plain(row["doc_id"]))
        graded = Graded(pair.query_id, pair.doc_id, int(text), str(row.get("note") or ""))
        if grades.setdefault(pair, graded).grade != graded.grade:
            raise GradesError(f"{pair.doc_id!r} of query {pair.query_id!r} has two grades", path, number)
    return list(grades.values())


def _row(pair: Pair, query: TestQuery, document: Mapping[str, object]) -> dict[str, object]:
    metadata = document.get("metadata")
    facts = (
        {name: metadata[name] for name in _FACTS if metadata.get(name)} if isinstance(metadata, dict) else {}
    )
    return {
        "query_id": pair.query_id,
        "query": query.text,
        "as_of": "" if query.as_of is None else query.as_of.isoformat(),
        "doc_id": pair.doc_id,
        "title": document.get("title") or "",
        "text": str(document.get("text") or "")[:_LONGEST_TEXT],
        "facts": json.dumps(facts, ensure_ascii=False) if facts else "",
        "grade": "",
    }


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    if path.suffix == ".jsonl":
        yield from json_objects(path, GradesError)
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            for row in reader:
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as fault:
        raise GradesError(f"is no CSV in UTF-8 ({fault})", path) from fault
    except OSError as fault:
        raise GradesError(f"cannot be read ({fault.strerror or fault})", path) from fault


def _plain(cell: object) -> str:
    """A cell without the quote that keeps a spreadsheet from running it."""
    text = str(cell)
    return text[1:] if safe([text[1:]]) == [text] else text
