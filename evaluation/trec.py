"""Run files in the format of TREC: `query-id Q0 document-id rank score tag`, one hit a line.

Readers of such files sort by score, and some break ties the other way round (trec_eval: id descending) or
hold scores in single precision. So scores are written as float32, and hits that tie are parted by the
smallest step float32 knows: every tool then sees the same ranking.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .errors import RunError
from .lines import numbered_lines
from .run import Hit, Run, SystemRun, ordered

COLUMNS = 6


@dataclass(frozen=True, slots=True)
class RunFile:
    """What a run file holds: hits per query in *the* order, and the tag of the system."""

    tag: str
    run: Run


def write_run(path: Path, run: Run, tag: str) -> None:
    """Writes the run, queries as given, hits by score descending, then id ascending, ranks from 1.

    Raises RunError, and writes nothing, when an id or the tag is empty or holds a space.
    """
    _require_word("tag", tag)
    lines = [line for query_id, hits in run.items() for line in _lines(query_id, hits, tag)]
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.part")
    unfinished.write_text("".join(lines), encoding="utf-8", newline="\n")
    unfinished.replace(path)


def read_run(path: Path) -> RunFile:
    """The run of a file (plain or .gz); ranks are checked for form only, as the scores decide everywhere."""
    run: dict[str, dict[str, float]] = {}
    tag: str | None = None
    for number, line in numbered_lines(path, RunError):
        columns = line.split()
        if len(columns) != COLUMNS:
            raise RunError(
                f"expected {COLUMNS} columns (qid Q0 docid rank score tag), got {len(columns)}", path, number
            )
        query_id, _, doc_id, rank, score, found = columns
        if tag not in (None, found):
            raise RunError(f"tag {found!r} in a file of {tag!r}", path, number)
        tag = found
        if not rank.isdecimal():
            raise RunError(f"the rank must be a whole number, got {rank!r:.80}", path, number)
        hits = run.setdefault(query_id, {})
        if doc_id in hits:
            raise RunError(f"document {doc_id!r} is ranked twice for query {query_id!r}", path, number)
        hits[doc_id] = _score(score, path, number)
    if tag is None:
        raise RunError("no hit in this file", path)
    return RunFile(tag, {query_id: ordered(query_id, hits.items()) for query_id, hits in run.items()})


def foreign_runs(files: Iterable[Path], taken: Iterable[str] = ()) -> dict[str, SystemRun]:
    """The runs of other people's files by the tag each states; where that is taken, by the file's name too.

    Raises RunError for a file that cannot be read, or when two would have one name.
    """
    known, found = set(taken), dict[str, SystemRun]()
    for file in files:
        read = read_run(file)
        name = read.tag if read.tag not in known else f"{read.tag}@{file.name.partition('.')[0]}"
        if name in known or "/" in name or name.startswith("."):
            raise RunError(f"the tag {read.tag!r} cannot name this run beside the others", file)
        known.add(name)
        fingerprint = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        found[name] = SystemRun(read.run, {}, f"file {fingerprint}")
    return found


def parted(scores: Sequence[float]) -> list[np.float32]:
    """Falling scores as strictly falling float32: each is as given, or one step below the one before it."""
    steps: list[np.float32] = []
    for score in np.asarray(scores, np.float32):
        steps.append(min(score, np.nextafter(steps[-1], np.float32(-np.inf))) if steps else score)
    return steps


def _lines(query_id: str, hits: Sequence[Hit], tag: str) -> Iterator[str]:
    _require_word("query id", query_id)
    in_order = ordered(query_id, hits)
    scores = parted([score for _, score in in_order])
    for rank, ((doc_id, _), score) in enumerate(zip(in_order, scores, strict=True), start=1):
        _require_word("document id", doc_id)
        if not np.isfinite(score):
            raise RunError(f"query {query_id!r}: the score of {doc_id!r} does not fit float32")
        yield f"{query_id} Q0 {doc_id} {rank} {score!s} {tag}\n"


def _require_word(what: str, value: str) -> None:
    """Columns are parted by white space, so what stands in one must hold none."""
    if not value or any(character.isspace() for character in value):
        raise RunError(f"{what} {value!r} cannot stand in a run file: it is empty or holds white space")


def _score(text: str, path: Path, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise RunError(f"the score must be a finite number, got {text!r:.80}", path, number)
    return score
