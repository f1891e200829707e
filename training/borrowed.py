"""Examples out of other people's question sets and logs: what is relevant in general, beside awards and time.

They keep the reranker from forgetting how to read. None of them is about windows, so their time features are those of
a record without dates. A set that stands in the folder's README as leaking into a benchmark is never about.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from random import Random

from index.availability import availability
from index.document import Document
from index.fit import fit, named
from index.passage import split
from index.portrait import MAX_UNITS
from index.timing import timing
from training.candidate import candidate_sides
from training.days import noon
from training.example import Candidate, Example
from training.first_stage import FirstStage, Retrieved
from training.synthesis.facts import plain

SETS: Mapping[str, int] = {
    "timeqa_human": 900,
    "conditionalqa_gov": 1400,
    "checkthat2020_t2": 700,
    "chronoqa_zh": 1300,
    "cmrc2018_zh": 1300,
    "scholarship_qa": 187,
}
"""The sets that may be trained on, and how many examples of each at most."""

ASKED_ON = date(2026, 9, 1)
"""The questions hold no days; their records are of this season."""

_NO_DAY = ""
_NEGATIVES = 8
_RELEVANT, _ABOUT, _LISTED = 3.0, 2.6, 0.5
_TIMELESS = date(2026, 1, 1)
_COMMON = {"scholarship", "scholarships", "scheme", "students", "student", "fellowship", "award", "yojana"}


def question_sets(folder: Path, seed: int, share: float = 1.0) -> Iterator[Example]:
    """Examples of the question sets in `folder` (`*.jsonl.gz` of query, pos, neg), `share` of the usual number."""
    for name, most in SETS.items():
        path = folder / f"{name}.jsonl.gz"
        if path.is_file():
            rows = list(_json_lines(path))
            Random(f"{name}/{seed}").shuffle(rows)
            for row in rows[: int(most * share)]:
                yield _question(name, row, Random(f"{name}/{seed}/{row['qid']}"))


def _question(task: str, row: Mapping[str, object], rng: Random) -> Example:
    query = str(row["query"])
    right, wrong = _texts(row["pos"]), _texts(row["neg"])
    rng.shuffle(wrong)
    wrong = [text for text in wrong if text not in set(right)][:_NEGATIVES]
    pairs = [(text, _RELEVANT) for text in right[:2]] + [(text, 0.0) for text in wrong]
    rng.shuffle(pairs)
    language = str(row["lang"])
    candidates = tuple(_plain(query, text, grade, at) for at, (text, grade) in enumerate(pairs))
    return Example(query, candidates, task, language, _NO_DAY, f"{task}-{row['qid']}")


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else []


def _plain(query: str, text: str, grade: float, at: int) -> Candidate:
    """A passage without facts, as long as a portrait at most, with nothing to say of time."""
    short = (split(text, MAX_UNITS) or [text])[0]
    document = Document(doc_id=f"p{at}", title="")
    features = tuple(float(value) for value in timing(document, noon(_TIMELESS)))
    matched = tuple(float(value) for value in fit(named(query), document, short))
    return Candidate(short, features, grade, document.doc_id, None, matched)


def record_questions(first_stage: FirstStage, pairs: Path, seed: int) -> Iterator[Example]:
    """Editors' questions with the record they are about, among what the first stage finds for them.

    pairs: JSON Lines of query, record_id and kind. What else is found may be as good, so it is not called useless but
    half related.
    """
    corpus = first_stage.snapshot.corpus
    about: dict[str, list[int]] = defaultdict(list)
    for record in _json_lines(pairs):
        row = corpus.row(str(record.get("record_id")))
        if row is not None and _tells(record, corpus[row]) and _is_alive(corpus[row]):
            about[str(record["query"])].append(row)
    asked = sorted(about)
    vectors = first_stage.encoded(asked, lambda step, done, total: None)
    for at, (query, vector) in enumerate(zip(asked, vectors, strict=True)):
        found = first_stage.retrieve(query, vector, 30)
        rng = Random(f"questions/{seed}/{at}")
        others = [row for row in found.ranked.rows.tolist() if row not in about[query]]
        chosen = [(row, _ABOUT) for row in dict.fromkeys(about[query][:2])]
        chosen += [(row, _LISTED) for row in rng.sample(others, min(len(others), 4))]
        chosen += [(row, 0.0) for row in rng.sample(range(len(corpus)), min(len(corpus), 4))]
        yield _mixed(
            first_stage,
            found,
            query,
            dict(reversed(chosen)),
            ASKED_ON,
            ("record_questions", f"record-question-{at}"),
            rng,
        )


def translations(first_stage: FirstStage, pairs: Path, seed: int) -> Iterator[Example]:
    """English descriptions as queries for the Swedish records they describe."""
    corpus = first_stage.snapshot.corpus
    told = [(str(line["en"]), corpus.row(str(line["id"]))) for line in _json_lines(pairs)]
    known = [(_first_words(text), row) for text, row in told if row is not None]
    vectors = first_stage.encoded([text for text, _ in known], lambda step, done, total: None)
    for at, ((query, row), vector) in enumerate(zip(known, vectors, strict=True)):
        found = first_stage.retrieve(query, vector, 30)
        rng = Random(f"parallel/{seed}/{at}")
        others = [other for other in found.ranked.rows.tolist() if other != row]
        grades = dict.fromkeys(rng.sample(others, min(len(others), 8)), 0.0) | {row: _RELEVANT}
        day = _day_of(corpus[row])
        yield _mixed(first_stage, found, query, grades, day, ("parallel_sv_en", f"parallel-{at}"), rng)


def _mixed(
    first_stage: FirstStage,
    found: Retrieved,
    query: str,
    grades: Mapping[int, float],
    day: date,
    names: tuple[str, str],
    rng: Random,
) -> Example:
    rows = list(grades)
    rng.shuffle(rows)
    sides = candidate_sides(first_stage, found, rows, query)
    candidates = tuple(side.on(day, grades[row], None) for side, row in zip(sides, rows, strict=True))
    task, group = names
    return Example(query, candidates, task, "en", day.isoformat(), group)


def _tells(record: Mapping[str, object], document: Document) -> bool:
    """Whether a pair may be learnt from: an editor's question that names what it is about.

    Logged queries are left alone: judged queries, those kept apart among them, were drawn from the same logs.
    """
    query = str(record["query"]).casefold()
    return "kind" in record and any(
        len(word) > 3 and word in query for word in plain(document.title).split() if word not in _COMMON
    )


def _is_alive(document: Document) -> bool:
    """Not closed on the day that is assumed, so that time says nothing against the right answer."""
    return availability(document.windows, noon(ASKED_ON)).state != "closed"


def _day_of(document: Document) -> date:
    """The last day of a record's newest round: open, whatever it says of its opening."""
    return max((window.deadline_on for window in document.windows if window.deadline_on), default=ASKED_ON)


def _first_words(text: str) -> str:
    return " ".join(text.split()[:14]).rstrip(",;:")


def _json_lines(path: Path) -> Iterator[dict[str, object]]:
    opener: Callable[..., object] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:  # type: ignore[attr-defined]
        for line in lines:
            yield json.loads(line)
