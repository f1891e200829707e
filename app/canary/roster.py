"""What the canary sings: judged queries of a folder in the layout of a test set; no corpus is needed."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from evaluation.metrics import relevant_grade
from evaluation.testset import Qrels, TestQuery, TestSet

from .errors import CanaryError

SHIPPED = Path(__file__).parent / "shipped"
"""Queries over the shipped catalogue."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The judged queries of one set. grade: the least one that counts as relevant."""

    name: str
    fingerprint: str
    queries: tuple[TestQuery, ...]
    qrels: Qrels
    grade: int

    def answerable(self, held: Collection[str]) -> Roster:
        """The part that can be answered out of the records `held`: queries with a relevant one among them.

        A catalogue that lost a record is not a ranking that got worse; the two are shown apart.
        """
        kept = {
            query_id: {doc_id: grade for doc_id, grade in grades.items() if doc_id in held}
            for query_id, grades in self.qrels.items()
        }
        qrels = {
            query_id: grades
            for query_id, grades in kept.items()
            if any(grade >= self.grade for grade in grades.values())
        }
        queries = tuple(query for query in self.queries if query.query_id in qrels)
        return Roster(self.name, self.fingerprint, queries, qrels, self.grade)

    @property
    def documents(self) -> frozenset[str]:
        """Every record that is judged for some query."""
        return frozenset(doc_id for grades in self.qrels.values() for doc_id in grades)


def read_roster(folder: Path = SHIPPED) -> Roster:
    """The judged queries of `folder`, all splits together, each with the instant it is asked at.

    Raises CanaryError for a query that says no instant (its figure would change with the calendar) or a set without
    a judged query; TestSetError for a file that cannot be read.
    """
    test_set = TestSet(folder)
    qrels: dict[str, dict[str, int]] = {}
    for split in test_set.splits():
        for query_id, grades in test_set.qrels(split).items():
            qrels.setdefault(query_id, {}).update(grades)
    queries = tuple(query for query in test_set.queries() if query.query_id in qrels)
    if not queries:
        raise CanaryError(f"{folder}: no query with a judgement")
    if timeless := [query.query_id for query in queries if query.as_of is None]:
        raise CanaryError(
            f"{folder}: query {timeless[0]!r} has no `as_of`: every day would give another figure"
        )
    if filtered := [query.query_id for query in queries if query.filters]:
        raise CanaryError(f"{folder}: query {filtered[0]!r} has filters, which the canary does not sing")
    judged = {query.query_id: qrels[query.query_id] for query in queries}
    name = "shipped" if folder == SHIPPED else test_set.name
    return Roster(name, _fingerprint(queries, judged), queries, judged, relevant_grade(judged))


def _fingerprint(queries: tuple[TestQuery, ...], qrels: Qrels) -> str:
    """A short hash of everything that is asked and judged."""
    parts = [
        (query.query_id, query.text, query.as_of, sorted(qrels[query.query_id].items())) for query in queries
    ]
    return hashlib.sha256(repr(sorted(parts, key=lambda part: part[0])).encode()).hexdigest()[:16]
