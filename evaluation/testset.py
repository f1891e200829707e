"""A test set on disk (BEIR layout, with `as_of`, tags and filters on top): corpus, queries, qrels.

    FOLDER/corpus.jsonl        _id, title, text, metadata
    FOLDER/queries.jsonl       _id, text, and optionally as_of, lang, tags, filters, metadata
    FOLDER/qrels/SPLIT.tsv     header "query-id	corpus-id	score", then one judgement a line

Each file may be gzipped (`.gz`). A plain BEIR set has none of the optional fields and works as it is.
Nothing is repaired: a line that cannot be read for certain is an error that names file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import ClassVar

from .errors import TestSetError, UnknownSplit
from .lines import existing, json_objects, numbered_lines

Qrels = Mapping[str, Mapping[str, int]]
"""query id -> document id -> grade."""

QRELS_HEADER = ("query-id", "corpus-id", "score")
# trec_eval allocates memory by the highest gain, and one gain is exponential in the grade.
HIGHEST_GRADE = 20
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class TestQuery:
    """One topic. `as_of` is the aware instant at which it is asked; None = the set does not say."""

    __test__: ClassVar[bool] = False  # the name starts like a test class, and pytest would collect it

    query_id: str
    text: str
    as_of: datetime | None
    lang: str | None
    tags: tuple[str, ...]
    filters: Mapping[str, object]
    metadata: object


@dataclass(frozen=True, slots=True)
class TestSet:
    """A folder of the layout above. Nothing is read before it is asked for."""

    __test__: ClassVar[bool] = False

    folder: Path

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.folder.resolve().name

    def splits(self) -> tuple[str, ...]:
        """The names of the judged splits, sorted."""
        found = (path.name.removesuffix(".gz") for path in (self.folder / "qrels").glob("*.tsv*"))
        return tuple(sorted({name.removesuffix(".tsv") for name in found if name.endswith(".tsv")}))

    def corpus(self) -> Iterator[tuple[int, Mapping[str, object]]]:
        """Each document as it stands, `_id` as text, with its line number; streamed."""
        path = self._file("corpus.jsonl")
        lines: dict[str, int] = {}
        for number, raw in json_objects(path, TestSetError):
            doc_id = _identity(raw, path, number, lines)
            for field in ("title", "text"):
                if not isinstance(raw.get(field, ""), str | None):
                    raise TestSetError(f"`{field}` must be a string", path, number)
            yield number, {**raw, "_id": doc_id}

    def queries(self) -> tuple[TestQuery, ...]:
        """Every query of the set, of all splits, in file order."""
        path = self._file("queries.jsonl")
        lines: dict[str, int] = {}
        return tuple(_query(raw, path, number, lines) for number, raw in json_objects(path, TestSetError))

    def queries_for(self, split: str) -> tuple[TestQuery, ...]:
        """The queries to run for `split`: all but those that only other splits judge.

        A query that no split judges is run too, so a set whose qrels are kept elsewhere can be ranked.
        """
        others = {query_id for other in self.splits() if other != split for query_id in self.qrels(other)}
        if split in self.splits():
            others -= set(self.qrels(split))
        chosen = tuple(query for query in self.queries() if query.query_id not in others)
        if not chosen:
            raise UnknownSplit(f"no query for split {split!r}; {self._splits_there()}", self.folder)
        return chosen

    def qrels(self, split: str) -> Qrels:
        """The judgements of one split, queries and documents in file order."""
        path = existing(self.folder / "qrels" / f"{split}.tsv") if split in self.splits() else None
        if path is None:
            raise UnknownSplit(f"no split {split!r}; {self._splits_there()}", self.folder)
        qrels = _judgements(path)
        if not qrels:
            raise TestSetError("no judgement in this file", path)
        return qrels

    def _file(self, name: str) -> Path:
        path = existing(self.folder / name)
        if path is None:
            raise TestSetError(f"no {name} (or {name}.gz) in this folder", self.folder)
        return path

    def _splits_there(self) -> str:
        return f"splits here: {', '.join(self.splits()) or 'none'}"


def instant_of(day: date) -> datetime:
    """Noon UTC of `day`: the one instant at which it is that day from UTC-12 to UTC+11.

    So a deadline of that day is still open and one of the day before is over, in (nearly) every zone and,
    above all, where no zone is stated and the last place on earth (UTC-12) decides.
    """
    return datetime.combine(day, time(12), tzinfo=UTC)


def parse_as_of(value: str) -> datetime:
    """The instant in UTC named by an ISO 8601 date (see `instant_of`) or instant (without offset: UTC)."""
    try:
        return instant_of(date.fromisoformat(value))
    except ValueError:
        instant = datetime.fromisoformat(value)
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def _query(raw: Mapping[str, object], path: Path, number: int, lines: dict[str, int]) -> TestQuery:
    def wrong(field: str, expected: str) -> TestSetError:
        return TestSetError(f"`{field}` must be {expected}, got {raw.get(field)!r:.80}", path, number)

    query_id = _identity(raw, path, number, lines)
    text, as_of, lang = raw.get("text"), raw.get("as_of"), raw.get("lang")
    tags, filters = raw.get("tags") or [], raw.get("filters") or {}
    if not isinstance(text, str):
        raise wrong("text", "a string")
    if not isinstance(lang, str | None):
        raise wrong("lang", "a string or null")
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag.strip() for tag in tags):
        raise wrong("tags", "a list of names")
    if not isinstance(filters, dict):
        raise wrong("filters", "an object")
    try:
        instant = None if as_of is None else parse_as_of(as_of)  # type: ignore[arg-type]  # checked by the except
    except (TypeError, ValueError, OverflowError) as fault:
        raise wrong("as_of", "an ISO 8601 date or instant") from fault
    return TestQuery(query_id, text, instant, lang, tuple(dict.fromkeys(tags)), filters, raw.get("metadata"))


def _identity(raw: Mapping[str, object], path: Path, number: int, lines: dict[str, int]) -> str:
    """The `_id` of a line as text, entered into `lines`; foreign sets write whole numbers."""
    value = raw.get("_id")
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise TestSetError(
            f"`_id` must be a non-empty string or a whole number, got {value!r:.80}", path, number
        )
    identity = str(value)
    if identity in lines:
        raise TestSetError(f"`_id` {identity!r} was already on line {lines[identity]}", path, number)
    lines[identity] = number
    return identity


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    """Grades by query and document. The same judgement twice is harmless, two different grades are not."""
    qrels: dict[str, dict[str, int]] = {}
    rows = numbered_lines(path, TestSetError)
    number, header = next(rows, (1, ""))
    if tuple(header.strip().lower().replace("_", "-").split("\t")) != QRELS_HEADER:
        raise TestSetError(
            f"expected the header {'<tab>'.join(QRELS_HEADER)}, got {header!r:.80}", path, number
        )
    for number, line in rows:
        columns = line.split("\t")
        if len(columns) != 3 or not columns[0].strip() or not columns[1].strip():
            raise TestSetError(
                f"expected query id, document id, grade between tabs, got {line!r:.80}", path, number
            )
        query_id, doc_id, score = columns
        if not _INTEGER.fullmatch(score.strip()) or abs(int(score)) > HIGHEST_GRADE:
            raise TestSetError(
                f"the grade must be a whole number up to {HIGHEST_GRADE}, got {score!r:.80}", path, number
            )
        grades = qrels.setdefault(query_id, {})
        if grades.setdefault(doc_id, int(score)) != int(score):
            raise TestSetError(f"document {doc_id!r} of query {query_id!r} has two grades", path, number)
    return qrels
