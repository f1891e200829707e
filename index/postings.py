"""Which documents hold which term, and how often: the counts that BM25 is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.integer]

_ROW_BITS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The counts of n documents over w terms, term by term.

    vocabulary: term → its number, 0 to w - 1. starts: (w + 1,) the documents of term t lie from starts[t] to
    starts[t + 1]. rows: (p,) those documents, ascending within a term; frequencies: (p,) how often each holds it.
    lengths: (n,) the number of terms of each document, with repetitions.
    """

    vocabulary: Mapping[str, int]
    starts: Counts
    rows: Counts
    frequencies: Counts
    lengths: Counts

    @staticmethod
    def of(term_lists: Sequence[Sequence[str]]) -> Postings:
        """The counts of one term list a document, row by row."""
        # Numbered in order, so that two builds of the same documents agree byte for byte.
        terms = sorted(set(chain.from_iterable(term_lists)))
        vocabulary = {term: at for at, term in enumerate(terms)}
        lengths = np.fromiter(map(len, term_lists), np.int64, len(term_lists))
        numbers = np.fromiter(
            map(vocabulary.__getitem__, chain.from_iterable(term_lists)), np.int64, int(lengths.sum())
        )
        owners = np.repeat(np.arange(len(term_lists)), lengths)
        packed, frequencies = np.unique((numbers << _ROW_BITS) | owners, return_counts=True)
        starts = np.concatenate([[0], np.cumsum(np.bincount(packed >> _ROW_BITS, minlength=len(terms)))])
        rows = packed & ((1 << _ROW_BITS) - 1)
        return Postings(vocabulary, starts, rows, _smallest(frequencies), _smallest(lengths))

    def holding(self, term: str) -> tuple[Counts, Counts]:
        """The documents that hold `term`, ascending, and how often each does; both empty for an unknown term."""
        at = self.vocabulary.get(term)
        if at is None:
            return self.rows[:0], self.frequencies[:0]
        start, end = self.starts.item(at), self.starts.item(at + 1)
        return self.rows[start:end], self.frequencies[start:end]


def _smallest(counts: Counts) -> Counts:
    """`counts` in the smallest type that holds the largest of them: most terms stand once or twice."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))
