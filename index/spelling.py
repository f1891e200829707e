"""Misspelt title words: "goverment" → "government", "fullbright" → "fulbright".

Only words no document holds are corrected, and only toward words of titles and providers. Abbreviations are left
alone: one letter away from a three-letter name is another name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from index.analyzer import fold
from index.document import Document

_WORD = re.compile(r"[^\W\d_]+")
_MIN_LENGTH = 5
_MIN_SIMILARITY = 0.7
_CANDIDATES = 3


@dataclass(frozen=True, slots=True)
class Spelling:
    """The words of titles and providers, folded, most frequent first."""

    words: tuple[str, ...]

    @staticmethod
    def of(documents: Iterable[Document]) -> Spelling:
        """The words that `documents` use in names."""
        counts: Counter[str] = Counter()
        for document in documents:
            text = fold(" ".join((document.title, *document.aliases, document.provider or "")))
            counts.update(
                {word for word in _WORD.findall(text) if len(word) >= _MIN_LENGTH and word.isascii()}
            )
        return Spelling(
            tuple(word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
        )

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
