"""What the reranker learns from: one query, its candidates, their grades. JSON Lines, gzip; one example a line.

A file is a function of its examples alone (no time stamp, no name inside), so equal examples give equal bytes.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path

from training.errors import ExampleError

GRADES = (0.0, 3.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One document beside one query.

    text: the document side of the pair, facts without days. timing: (F,) the time features of this document, this query
    and this day. grade: 0 (of no use) to 3 (exactly this, and one can still apply). fused: the first stage's score,
    comparable only inside one example; None where no first stage was asked. fits: (K,) the features of `index.fit`, ()
    where no award is judged. weight: for how many grades this one stands, above 1 where it was read off a click that
    few would have made (`training.implicit`).
    """

    text: str
    timing: tuple[float, ...]
    grade: float
    doc_id: str
    fused: float | None = None
    fits: tuple[float, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """One query on one day, with its candidates.

    task: which builder made it (`award`, `ageing`, `chronoqa_zh` …). language: BCP 47. as_of: ISO date, "" where
    the day means nothing. group: examples of the same query on different days share it; they are kept together when
    examples are split. weight: how much this example counts among the others.
    """

    query: str
    candidates: tuple[Candidate, ...]
    task: str
    language: str
    as_of: str
    group: str
    weight: float = 1.0

    @property
    def best(self) -> float:
        """The highest grade among the candidates."""
        return max(candidate.grade for candidate in self.candidates)


def write_examples(path: Path, examples: Iterable[Example]) -> int:
    """How many examples were written to `path`."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as packed,
        TextIOWrapper(packed, encoding="utf-8", newline="\n") as file,
    ):
        for example in examples:
            file.write(_line(example))
            count += 1
    return count


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of `path`, in the order they were written. Raises ExampleError with the line that is wrong."""
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for line in file:
                number += 1
                yield _example(line)
    except (OSError, EOFError) as fault:
        raise ExampleError(f"{path}: cannot be read after line {number} ({fault})") from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise ExampleError(f"{path}:{number}: not an example ({fault!r})") from fault


def digest(path: Path) -> str:
    """The SHA-256 of a file, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        hashed = sha256()
        while block := file.read(1 << 20):
            hashed.update(block)
    return hashed.hexdigest()


def _line(example: Example) -> str:
    # A weight of 1 is left unsaid: examples without weights keep the bytes that they had before there were any.
    candidates = [
        [c.doc_id, c.grade, c.text, _rounded(c.timing), c.fused, _rounded(c.fits)]
        + ([] if c.weight == 1.0 else [round(c.weight, 6)])
        for c in example.candidates
    ]
    fields: dict[str, object] = {
        "query": example.query,
        "task": example.task,
        "language": example.language,
        "as_of": example.as_of,
        "group": example.group,
        "candidates": candidates,
    }
    if example.weight != 1.0:
        fields["weight"] = round(example.weight, 6)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def _example(line: str) -> Example:
    fields = json.loads(line)
    candidates = tuple(
        Candidate(text, _floats(timing), float(grade), doc_id, fused, _floats(matched), _weight(weight))
        for doc_id, grade, text, timing, fused, matched, *weight in fields["candidates"]
    )
    if not candidates:
        raise ValueError("no candidates")
    if not all(GRADES[0] <= candidate.grade <= GRADES[1] for candidate in candidates):
        raise ValueError("a grade outside 0-3")
    return Example(
        query=fields["query"],
        candidates=candidates,
        task=fields["task"],
        language=fields["language"],
        as_of=fields["as_of"],
        group=fields["group"],
        weight=_weight([fields["weight"]] if "weight" in fields else []),
    )


def _rounded(values: tuple[float, ...]) -> list[float]:
    return [round(value, 6) for value in values]


def _weight(stated: list[float]) -> float:
    """What is stated, or 1. Raises ValueError for what is no weight."""
    if not stated:
        return 1.0
    (weight,) = stated
    if not 0 <= weight < float("inf"):
        raise ValueError("a weight below 0 or not finite")
    return float(weight)


def _floats(values: Iterable[object]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)  # type: ignore[arg-type]  # a wrong one is told by its line
