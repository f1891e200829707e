"""The lexical leg of a snapshot in which documents were replaced, removed or added since it was built.

Every change of the collection moves the scores of all documents a little: by a term's idf, by the average length. So
nothing of the built scores is used; the scores of a query's terms are computed from counts when they are asked for, in
the very steps and number types of bm25s, and come out as those of an index built anew, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.lexical import Lexical, LexicalLeg
from index.postings import Counts, Postings
from index.splice import Splice
from index.types import EMPTY, Rows, Vector


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSplice(LexicalLeg):
    """The counts of what was built and of what came since, at their places.

    norms: (size,) what a document's length puts below the fraction of BM25: k1 · (1 - b + b · length / average).
    """

    base: Postings
    added: Postings
    splice: Splice
    norms: NDArray[np.float64]

    @staticmethod
    def of(
        base: Lexical, splice: Splice, term_lists: Sequence[Sequence[str]], k1: float, b: float
    ) -> LexicalSplice:
        """The leg over the documents of `base` that stay and over one term list an added document, row by row.

        k1, b: those that `base` was built with.
        """
        added = Postings.of(term_lists)
        lengths = splice.merged(base.counts.lengths.astype(np.float64), added.lengths.astype(np.float64))
        average = lengths.sum() / splice.size if splice.size else 0.0
        norms: NDArray[np.float64] = k1 * ((1 - b) + b * lengths / (average or 1.0))
        return LexicalSplice(base.counts, added, splice, norms)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self.splice.size

    def scores(self, terms: Sequence[str]) -> Vector | None:
        """(n,) the sum, in the order of `terms`, of what each adds to a document's score; None when none is known."""
        parts = {term: self._parts(term) for term in dict.fromkeys(terms)}
        if not any(parts.values()):
            return None
        total = np.zeros(self.documents, np.float32)
        for term in terms:
            for rows, scores in parts[term]:
                np.add.at(total, rows, scores)
        return total

    def postings(self, term: str) -> tuple[Rows, Vector]:
        """The documents that hold `term`, ascending, and what the term adds to each one's score."""
        parts = self._parts(term)
        if not parts:
            return EMPTY.rows, EMPTY.scores
        if len(parts) == 1:
            return parts[0]
        rows = np.concatenate([rows for rows, _ in parts])
        order = np.argsort(rows, kind="stable")  # two ascending runs, which this only merges
        return rows[order], np.concatenate([scores for _, scores in parts])[order]

    def _parts(self, term: str) -> list[tuple[Rows, Vector]]:
        """Rows and scores of the built and of the added documents that hold `term`, without empty parts."""
        held = [part for part in (self._kept(term), self._new(term)) if len(part[0])]
        having = sum(len(rows) for rows, _ in held)
        idf = np.float32(math.log(1 + (self.documents - having + 0.5) / (having + 0.5)))
        return [(rows, self._scores(idf, rows, counts)) for rows, counts in held]

    def _kept(self, term: str) -> tuple[Rows, Counts]:
        rows, counts = self.base.holding(term)
        placed = self.splice.forward.take(rows)
        if placed.min(initial=0) >= 0:
            return placed, counts
        stays = np.flatnonzero(placed >= 0)
        return placed.take(stays), counts.take(stays)

    def _new(self, term: str) -> tuple[Rows, Counts]:
        rows, counts = self.added.holding(term)
        return self.splice.placed.take(rows), counts

    def _scores(self, idf: np.float32, rows: Rows, counts: Counts) -> Vector:
        frequencies = counts.astype(np.float64)
        # The idf is rounded to float32 before it is used and the product after: so does the built index.
        return (np.float64(idf) * (frequencies / (self.norms.take(rows) + frequencies))).astype(np.float32)
