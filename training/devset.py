"""A judged set as examples: what the first stage hands to the reranker for each query, with the judges' grades.

For choosing a model, never for training one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from evaluation.testset import TestSet
from training.candidate import candidate_sides
from training.example import Example
from training.first_stage import FirstStage, Progress

TASK = "judged"
NO_DAY = date(1970, 1, 1)
"""When a query without a day is asked: before every window, so that none is over."""


def judged_examples(
    folder: Path, split: str, first_stage: FirstStage, depth: int, progress: Progress
) -> Iterator[Example]:
    """One example a query that has a day: its best `depth` candidates in the first stage's order.

    `group` is the query's id. What was not judged has grade 0, as in the metrics.
    """
    judged = TestSet(folder)
    qrels = judged.qrels(split)
    queries = [query for query in judged.queries_for(split) if query.query_id in qrels]
    vectors = first_stage.encoded([query.text for query in queries], progress)
    for done, (query, vector) in enumerate(zip(queries, vectors, strict=True), start=1):
        found = first_stage.retrieve(query.text, vector, depth)
        rows = found.ranked.rows.tolist()
        grades = qrels[query.query_id]
        sides = candidate_sides(first_stage, found, rows, query.text)
        day = query.as_of.date() if query.as_of else NO_DAY
        candidates = tuple(
            side.on(day, float(grades.get(side.document.doc_id, 0)), float(score))
            for side, score in zip(sides, found.ranked.scores.tolist(), strict=True)
        )
        if candidates:
            yield Example(query.text, candidates, TASK, query.lang or "", day.isoformat(), query.query_id)
        progress("judged queries", done, len(queries))
