"""The lexical leg: BM25 over documents, by bm25s.

Lucene's idf, which is positive for every term, so a word in half of the documents still counts. A document whose
score is zero shares no term with the query and is not a hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import bm25s
import numpy as np

from index.types import EMPTY, Mask, RankedList, Rows, Vector, ordered


class LexicalLeg(Protocol):
    """What a lexical implementation can do."""

    def search(self, terms: Sequence[str], depth: int, mask: Mask | None = None) -> RankedList:
        """The best `depth` documents that share a term with the query and are allowed by `mask` (n,)."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """A BM25 index over `documents` term lists; memory-mapped when opened from a folder."""

    engine: bm25s.BM25
    documents: int

    @staticmethod
    def build(term_lists: Sequence[Sequence[str]], k1: float, b: float) -> Lexical:
        """An index over one term list a document, row by row."""
        engine = bm25s.BM25(k1=k1, b=b, method="lucene")
        if any(term_lists):
            # Numbered in order: left to itself the library numbers terms as they come out of a set, and two builds of
            # the same documents would differ byte for byte.
            vocabulary = {
                term: at for at, term in enumerate(sorted({term for terms in term_lists for term in terms}))
            }
            ids = [[vocabulary[term] for term in terms] for terms in term_lists]
            engine.index((ids, vocabulary), show_progress=False, leave_progress=False)
        else:
            engine.vocab_dict = {}  # nothing to index: every query is out of vocabulary
        return Lexical(engine, len(term_lists))

    def search(self, terms: Sequence[str], depth: int, mask: Mask | None = None) -> RankedList:
        """The best `depth` documents that share a term with the query and are allowed by `mask` (n,)."""
        vocabulary = self.engine.vocab_dict
        ids = [vocabulary[term] for term in terms if term in vocabulary]
        if not ids or depth < 1:
            return EMPTY
        scores = self.engine.get_scores_from_ids(ids)
        if mask is not None:
            scores = np.where(mask, scores, 0.0)
        # Only what reaches the depth-th score is looked at again, with all its ties: the corpus may hold millions.
        least = np.partition(scores, -depth)[-depth] if depth < len(scores) else 0.0
        rows: Rows = np.flatnonzero(scores >= least if least > 0 else scores > 0)
        return ordered(rows, scores[rows].astype(np.float32), depth)

    def phrase(self, terms: Sequence[str]) -> RankedList:
        """The documents that hold every one of `terms`, anywhere, by their summed BM25; in row order.

        Nothing for an empty phrase or one with an unknown term: half of a name is another name.
        """
        found: Rows | None = None
        total = np.empty(0, np.float32)
        for term in dict.fromkeys(terms):
            rows, scores = self.postings(term)
            if found is None:
                found, total = rows, scores
            else:
                found, left, right = np.intersect1d(found, rows, assume_unique=True, return_indices=True)
                total = total[left] + scores[right]
            if not len(found):
                return EMPTY
        return EMPTY if found is None else RankedList(found, total)

    def postings(self, term: str) -> tuple[Rows, Vector]:
        """The documents that hold `term`, ascending, and what the term adds to each one's score."""
        at = self.engine.vocab_dict.get(term)
        if at is None:
            return EMPTY.rows, EMPTY.scores
        start, end = self.engine.scores["indptr"][at : at + 2]
        rows: Rows = np.asarray(self.engine.scores["indices"][start:end], np.int64)
        scores = np.asarray(self.engine.scores["data"][start:end], np.float32)
        order = np.argsort(rows, kind="stable")
        return rows[order], scores[order]

    def save(self, folder: Path) -> None:
        """Nothing; writes the index into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.engine.vocab_dict:
            self.engine.save(str(folder), allow_pickle=False)

    @staticmethod
    def load(folder: Path, documents: int) -> Lexical:
        """The index in `folder`, memory-mapped."""
        if not any(folder.iterdir()):
            return Lexical.build([[]] * documents, k1=1.0, b=0.0)  # no term will ever be looked up
        return Lexical(bm25s.BM25.load(str(folder), mmap=True, allow_pickle=False), documents)
