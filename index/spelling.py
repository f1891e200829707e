"""Misspelt title words: "goverment" → "government", "fullbright" → "fulbright".

Only words no document holds are corrected, and only toward words of titles and providers. Abbreviations are left
alone: one letter away from a three-letter name is another name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from index.analyzer import fold
from index.document import Document

_WORD = re.compile(r"[^\W\d_]+")
_MIN_LENGTH = 5
_MIN_SIMILARITY = 0.7
_CANDIDATES = 3


def name_words(document: Document) -> frozenset[str]:
    """The words of the title, the aliases and the provider that a misspelling may be corrected to, folded."""
    text = fold(" ".join((document.title, *document.aliases, document.provider or "")))
    return frozenset(word for word in _WORD.findall(text) if len(word) >= _MIN_LENGTH and word.isascii())


@dataclass(frozen=True, slots=True)
class Spelling:
    """The words of titles and providers, folded, most frequent first."""

    words: tuple[str, ...]

    @staticmethod
    def of(documents: Iterable[Document]) -> Spelling:
        """The words that `documents` use in names."""
        return Spelling.ranked(Counter(word for document in documents for word in name_words(document)))

    @staticmethod
    def ranked(holders: Mapping[str, int]) -> Spelling:
        """The words of `holders`, which says how many documents use each in a name; those of none are left out."""
        words = sorted(word for word, count in holders.items() if count)
        return Spelling(tuple(sorted(words, key=holders.__getitem__, reverse=True)))  # equals stay in order

    def corrections(
        self, text: str, known: Callable[[str], bool]
    ) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """(word as typed, [(word it may mean, similarity 0-1)]) for each word of `text` that `known` denies."""
        for typed in dict.fromkeys(_WORD.findall(text)):
            word = fold(typed)
            if len(word) < _MIN_LENGTH or not word.isascii() or known(word):
                continue
            near = process.extract(
                word,
                [other for other in self.words if other[0] == word[0]],
                scorer=DamerauLevenshtein.normalized_similarity,
                score_cutoff=_MIN_SIMILARITY,
                limit=_CANDIDATES,
            )
            if near:
                yield typed, [(other, float(similarity)) for other, similarity, _ in near]
