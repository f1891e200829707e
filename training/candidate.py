"""A document as the reranker will meet it beside one query: portrait, fit, and the time features of a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from index.document import Document
from index.fit import fit, named
from index.timeintent import time_intent
from index.timing import timing
from training.days import noon
from training.example import Candidate
from training.first_stage import FirstStage, Retrieved


@dataclass(frozen=True, slots=True)
class Side:
    """What stays the same on every day: the document, its portrait and how it fits the query's words."""

    query: str
    document: Document
    text: str
    fits: tuple[float, ...]

    def on(self, day: date, grade: float, fused: float | None) -> Candidate:
        """The candidate on a day, at noon in UTC, with its grade and the first stage's score."""
        features = timing(self.document, noon(day), time_intent(self.query, day))
        rounded = None if fused is None else round(fused, 5)
        return Candidate(self.text, _rounded(features), grade, self.document.doc_id, rounded, self.fits)


def candidate_sides(
    first_stage: FirstStage, found: Retrieved, rows: Iterable[int], query: str
) -> tuple[Side, ...]:
    """The document side of each row for one query."""
    asked = named(query)
    sides = []
    for row in rows:
        document = first_stage.snapshot.corpus[row]
        text = first_stage.portrait(row, found)
        sides.append(Side(query, document, text, _rounded(fit(asked, document, text))))
    return tuple(sides)


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)
