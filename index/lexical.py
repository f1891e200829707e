"""The lexical leg: BM25 over documents, by bm25s.

Lucene's idf, which is positive for every term, so a word in half of the documents still counts. A document whose
score is zero shares no term with the query and is not a hit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bm25s
import numpy as np

from index.postings import Counts, Postings
from index.types import EMPTY, Mask, RankedList, Rows, Vector, ordered

_FREQUENCIES = "frequencies.npy"
_LENGTHS = "lengths.npy"


class LexicalLeg(ABC):
    """What a lexical implementation can do; each says only how it scores one term and a query."""

    __slots__ = ()

    @property
    @abstractmethod
    def documents(self) -> int:
        """The number of documents."""

    @abstractmethod
    def postings(self, term: str) -> tuple[Rows, Vector]:
        """The documents that hold `term`, ascending, and what the term adds to each one's score."""

    @abstractmethod
    def scores(self, terms: Sequence[str]) -> Vector | None:
        """(n,) the sum, in the order of `terms`, of what each adds to a document's score; None when none is known."""

    def search(self, terms: Sequence[str], depth: int, mask: Mask | None = None) -> RankedList:
        """The best `depth` documents that share a term with the query and are allowed by `mask` (n,)."""
        scores = self.scores(terms) if depth >= 1 else None
        if scores is None:
            return EMPTY
        if mask is not None:
            scores = np.where(mask, scores, np.float32(0))
        # Only what reaches the depth-th score is looked at again, with all its ties: the corpus may hold millions.
        least = np.partition(scores, -depth)[-depth] if depth < len(scores) else 0.0
        rows: Rows = np.flatnonzero(scores >= least if least > 0 else scores > 0)
        return ordered(rows, scores[rows], depth)

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


@dataclass(frozen=True, slots=True, eq=False)
class Lexical(LexicalLeg):
    """A built BM25 index; memory-mapped when opened from a folder.

    counts: what the scores were computed from, for the day when documents join or leave. engine: None when no document
    has a term, which the library cannot index.
    """

    counts: Postings
    engine: bm25s.BM25 | None

    @staticmethod
    def build(term_lists: Sequence[Sequence[str]], k1: float, b: float) -> Lexical:
        """An index over one term list a document, row by row."""
        counts = Postings.of(term_lists)
        if not counts.vocabulary:
            return Lexical(counts, None)
        engine = bm25s.BM25(k1=k1, b=b, method="lucene")
        number = counts.vocabulary
        ids = [[number[term] for term in terms] for terms in term_lists]
        engine.index((ids, number), show_progress=False, leave_progress=False, create_empty_token=False)
        return _joined(engine, counts.frequencies, counts.lengths)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self.counts.lengths)

    def scores(self, terms: Sequence[str]) -> Vector | None:
        """(n,) the sum, in the order of `terms`, of what each adds to a document's score; None when none is known."""
        known = [at for term in terms if (at := self.counts.vocabulary.get(term)) is not None]
        if self.engine is None or not known:
            return None
        return np.asarray(self.engine.get_scores_from_ids(known), np.float32)

    def postings(self, term: str) -> tuple[Rows, Vector]:
        """The documents that hold `term`, ascending, and what the term adds to each one's score."""
        at = self.counts.vocabulary.get(term)
        if self.engine is None or at is None:
            return EMPTY.rows, EMPTY.scores
        start, end = self.counts.starts[at : at + 2]
        rows: Rows = np.asarray(self.counts.rows[start:end], np.int64)
        return rows, np.asarray(self.engine.scores["data"][start:end], np.float32)

    def save(self, folder: Path) -> None:
        """Nothing; writes the index into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.engine is not None:
            self.engine.save(str(folder), allow_pickle=False)
            np.save(folder / _FREQUENCIES, self.counts.frequencies)
            np.save(folder / _LENGTHS, self.counts.lengths)

    @staticmethod
    def load(folder: Path, documents: int) -> Lexical:
        """The index in `folder`, memory-mapped."""
        if not any(folder.iterdir()):
            return Lexical(Postings.of([[]] * documents), None)
        engine = bm25s.BM25.load(str(folder), mmap=True, allow_pickle=False)
        # Plain views of the mapped files: slicing a `memmap` itself costs more than most terms' scores.
        frequencies, lengths = (
            np.asarray(np.load(folder / name, mmap_mode="r")) for name in (_FREQUENCIES, _LENGTHS)
        )
        return _joined(engine, frequencies, lengths)


def _joined(engine: bm25s.BM25, frequencies: Counts, lengths: Counts) -> Lexical:
    """The engine and what it was made from; both have the same documents in the same order, so they share them."""
    starts, rows = (np.asarray(engine.scores[name]) for name in ("indptr", "indices"))
    return Lexical(Postings(engine.vocab_dict, starts, rows, frequencies, lengths), engine)
