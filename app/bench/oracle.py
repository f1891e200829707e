"""What the right answers are, worked out in the open: BM25 from its formula, inner products by numpy.

Several documents can share the hundredth score, so an answer is judged by its scores: a row is right when nothing
better was left out, which is to say when its true score reaches the hundredth best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from index.settings import AWARDS
from index.types import Mask, Rows, Vector

from .collection import Collection
from .contender import DEPTH

_BLOCK = 50_000
_TOLERANCE = 1e-4


Bar = tuple[float, int]
"""The least score of a right answer, and how many right answers there are to find (0: no hit at all)."""


class Oracle(Protocol):
    """True scores, for judging."""

    def bars(self, mask: Mask | None) -> list[Bar]:
        """One bar a question, among the rows that `mask` allows."""

    def at(self, question: int, rows: Rows) -> Vector:
        """The true scores of some rows for the question of that number; -inf for those that are no hits."""


class LexicalOracle:
    """BM25 as Lucene counts it, term by term: idf = ln(1 + (n - df + ½)/(df + ½)), tf / (tf + k1(1 - b + b·l/l̄))."""

    def __init__(
        self, collection: Collection, vocabulary: list[str], questions: Sequence[Sequence[str]]
    ) -> None:
        place = {term: at for at, term in enumerate(vocabulary)}
        self._n = collection.documents
        self._questions = [[place[term] for term in question if term in place] for question in questions]
        lengths = np.diff(collection.offsets)
        norm = AWARDS.k1 * (1 - AWARDS.b + AWARDS.b * lengths / lengths.mean())
        self._postings = {}
        for term, (rows, counts) in _postings(collection, {t for q in self._questions for t in q}).items():
            idf = np.log(1 + (self._n - len(rows) + 0.5) / (len(rows) + 0.5))
            self._postings[term] = (rows, idf * counts / (counts + norm[rows]))

    def bars(self, mask: Mask | None) -> list[Bar]:
        """One bar a question; a document that shares no term with it is no hit."""
        return [_bar(self._scores(question), mask) for question in range(len(self._questions))]

    def at(self, question: int, rows: Rows) -> Vector:
        """The true BM25 of some rows."""
        found: Vector = self._scores(question)[rows]
        return found

    def _scores(self, question: int) -> Vector:
        total = np.zeros(self._n)
        for term in self._questions[question]:
            rows, gains = self._postings[term]
            total[rows] += gains
        return np.where(total > 0, total, -np.inf)


class DenseOracle:
    """Inner products, a block of rows at a time."""

    def __init__(self, collection: Collection, questions: Vector) -> None:
        self._vectors = collection.vectors
        self._questions = questions

    def bars(self, mask: Mask | None) -> list[Bar]:
        """One bar a question: the best of each block are kept, and of those the best."""
        kept = [np.empty(0, np.float32) for _ in self._questions]
        for start in range(0, len(self._vectors), _BLOCK):
            block = self._vectors[start : start + _BLOCK]
            block = block if mask is None else block[mask[start : start + _BLOCK]]
            for question, scores in enumerate(self._questions @ block.T):
                pool = np.concatenate([kept[question], scores])
                kept[question] = np.partition(pool, len(pool) - DEPTH)[-DEPTH:] if len(pool) > DEPTH else pool
        return [_bar(scores, None) for scores in kept]

    def at(self, question: int, rows: Rows) -> Vector:
        """The true inner products of some rows."""
        found: Vector = self._vectors[rows] @ self._questions[question]
        return found


def recall(oracle: Oracle, question: int, bar: Bar, found: Rows) -> float | None:
    """The share of the right answers that were found; None where there is none to find."""
    least, wanted = bar
    if not wanted:
        return None
    good = oracle.at(question, np.unique(found)) >= least - _TOLERANCE * abs(least)
    return min(1.0, float(good.sum()) / wanted)


def _bar(scores: Vector, mask: Mask | None) -> Bar:
    hits = scores[scores > -np.inf] if mask is None else scores[mask & (scores > -np.inf)]
    wanted = min(DEPTH, len(hits))
    if not wanted:
        return 0.0, 0
    return float(np.partition(hits, len(hits) - wanted)[len(hits) - wanted]), wanted


def _postings(collection: Collection, terms: set[int]) -> dict[int, tuple[Rows, Vector]]:
    """{term: (rows, how often)} for the terms that are asked for, each row once."""
    flat, offsets = collection.terms, collection.offsets
    wanted = np.zeros(int(flat.max()) + 1 if len(flat) else 1, bool)
    wanted[[term for term in terms if term < len(wanted)]] = True
    places = np.flatnonzero(wanted[flat])
    rows = np.searchsorted(offsets, places, side="right") - 1
    keys, counts = np.unique(flat[places].astype(np.int64) * len(offsets) + rows, return_counts=True)
    owners, rows = np.divmod(keys, len(offsets))
    found: dict[int, tuple[Rows, Vector]] = {}
    for term in terms:
        start, end = np.searchsorted(owners, [term, term + 1])
        found[term] = (rows[start:end], counts[start:end].astype(np.float64))
    return found
