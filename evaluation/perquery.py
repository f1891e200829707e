"""One query at a time: every figure as a table, and what a system changed against the baseline."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .assessment import Assessment, SystemResult
from .metrics import METRICS
from .testset import TestQuery

# A spreadsheet runs a cell that starts like this as a formula; queries are foreign text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Change:
    """One query under two systems. Ranks are those of the first relevant document, None = not returned."""

    query_id: str
    query: TestQuery | None
    mrr: float
    mrr_delta: float
    ndcg_delta: float
    baseline_rank: int | None
    rank: int | None


def changes(assessment: Assessment, system: SystemResult) -> tuple[Change, ...]:
    """Every judged query, the largest gain of `system` over the baseline first, the largest loss last.

    By MRR@5; equal there, by nDCG@10; equal there too, by query id.
    """
    base = assessment.baseline
    found = (
        Change(
            query_id,
            assessment.queries.get(query_id),
            float(system.scores.values["mrr@5"][row]),
            float(system.scores.values["mrr@5"][row] - base.scores.values["mrr@5"][row]),
            float(system.scores.values["ndcg@10"][row] - base.scores.values["ndcg@10"][row]),
            base.first_ranks[query_id],
            system.first_ranks[query_id],
        )
        for row, query_id in enumerate(assessment.query_ids)
    )
    return tuple(sorted(found, key=lambda change: (-change.mrr_delta, -change.ndcg_delta, change.query_id)))


def write_csv(path: Path, assessment: Assessment) -> None:
    """One row per system and judged query, safe to open in a spreadsheet."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(_rows(assessment))


def _rows(assessment: Assessment) -> Iterator[list[str | float | int]]:
    yield ["system", "query_id", "text", "as_of", "lang", "tags", "first_relevant_rank", *METRICS]
    for system in assessment.systems:
        for row, query_id in enumerate(assessment.query_ids):
            query = assessment.queries.get(query_id)
            rank = system.first_ranks[query_id]
            yield [
                *safe([system.name, query_id, *_described(query)]),
                "" if rank is None else rank,
                *(round(float(system.scores.values[metric][row]), 6) for metric in METRICS),
            ]


def _described(query: TestQuery | None) -> tuple[str, str, str, str]:
    if query is None:
        return "", "", "", ""
    as_of = "" if query.as_of is None else query.as_of.isoformat()
    return query.text, as_of, query.lang or "", " ".join(query.tags)


def safe(cells: Iterable[str]) -> list[str]:
    """The cells with a quote before whatever a spreadsheet would take for a formula."""
    return [f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell for cell in cells]
