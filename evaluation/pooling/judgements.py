"""Grades → a file of judgements that evaluation reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evaluation.testset import QRELS_HEADER, Qrels

from .pool import Pair


def joined(before: Qrels, grades: Mapping[Pair, int]) -> tuple[dict[str, dict[str, int]], int]:
    """The judgements with the new grades, and how many are new; a grade that was there before stays."""
    qrels = {query_id: dict(given) for query_id, given in before.items()}
    added = 0
    for pair, grade in sorted(grades.items(), key=lambda item: (item[0].query_id, item[0].doc_id)):
        given = qrels.setdefault(pair.query_id, {})
        if pair.doc_id not in given:
            given[pair.doc_id] = grade
            added += 1
    return qrels, added


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Nothing; the judgements are in `path`, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(QRELS_HEADER)]
    lines += [
        f"{query_id}\t{doc_id}\t{grade}"
        for query_id, given in qrels.items()
        for doc_id, grade in given.items()
    ]
    unfinished = path.with_name(f".{path.name}.part")
    unfinished.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    unfinished.replace(path)
