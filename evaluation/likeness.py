"""Texts that say the same: equal once letters, spaces and marks are levelled, or nearly equal letter by letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

NEAR = 0.9
"""Share of letters that two texts have in common, in order, from which on they are nearly the same."""
_MARKS = re.compile(r"[^\w]+")
_BLOCK = 256
# Of very short texts a single letter is a tenth: "phd uk" and "phd us" are not the same.
_LEAST_LETTERS = 12


def levelled(text: str) -> str:
    """The text without what a reader would not count: case, width, punctuation, order of spaces."""
    return " ".join(_MARKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).split())


def alike(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """(i, j, likeness in [`NEAR`, 1]) for each pair of `texts[i]` and `others[j]` that say the same, levelled before.

    1 - the edits (insertions and deletions) over the letters of both. Pairs come in ascending order of i, then j.
    """
    ours, theirs = [levelled(text) for text in texts], [levelled(text) for text in others]
    for start in range(0, len(ours), _BLOCK):
        block = ours[start : start + _BLOCK]
        scores = process.cdist(
            block, theirs, scorer=Indel.normalized_similarity, score_cutoff=NEAR, dtype=np.float32
        )
        for row, column in zip(*np.nonzero(scores), strict=True):
            likeness = float(scores[row, column])
            if likeness >= 1 or len(block[row]) >= _LEAST_LETTERS:
                yield start + int(row), int(column), likeness
