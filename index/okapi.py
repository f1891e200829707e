"""A second lexical implementation: Okapi BM25 by rank-bm25, over the same terms.

Slow and simple, it is here to be compared with. Its idf goes below zero for a term in more than half of the documents
and the library lifts those to a small positive floor; a document without any query term still scores zero and is
not a hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rank_bm25 import BM25Okapi

from index.snapshot import Snapshot
from index.terms import document_terms
from index.types import EMPTY, Mask, RankedList, Rows, ordered

_K1 = 1.5
_B = 0.75


@dataclass(frozen=True, slots=True)
class Okapi:
    """rank-bm25 over term lists; `engine` is None when there is nothing to index, which the library cannot do."""

    engine: BM25Okapi | None

    @staticmethod
    def build(term_lists: Sequence[Sequence[str]], k1: float = _K1, b: float = _B) -> Okapi:
        """An index over one term list a document, row by row."""
        if not any(term_lists):
            return Okapi(None)
        return Okapi(BM25Okapi([list(terms) for terms in term_lists], k1=k1, b=b))

    def search(self, terms: Sequence[str], depth: int, mask: Mask | None = None) -> RankedList:
        """The best `depth` documents that share a term with the query and are allowed by `mask` (n,)."""
        if self.engine is None or not terms or depth < 1:
            return EMPTY
        scores = self.engine.get_scores(list(terms))
        # A document that holds a query term is a hit even where the library's idf floor makes its score zero or less.
        holds = np.fromiter(
            (any(term in frequencies for term in terms) for frequencies in self.engine.doc_freqs), bool
        )
        rows: Rows = np.flatnonzero(holds if mask is None else holds & mask)
        return ordered(rows, scores[rows].astype(np.float32), depth)


@lru_cache(maxsize=2)
def okapi_of(snapshot: Snapshot) -> Okapi:
    """The index of a snapshot, made when it is first asked for and kept for the next query."""
    settings = snapshot.settings
    terms = [document_terms(document, settings.weights) for document in snapshot.corpus]
    return Okapi.build(terms, settings.k1, settings.b)
