"""Keeping judged queries out of the training data: what equals one, or nearly does, is dropped and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import fuzz, process

from index.analyzer import fold
from training.example import Example

NEAR = 90.0
"""Normalised edit similarity, in percent, from which two queries count as one."""


class Guard:
    """Lets examples pass whose query is none of the judged ones; `dropped` counts the others."""

    def __init__(self, judged: Iterable[str]) -> None:
        self._judged = [_plain(text) for text in judged]
        self._sorted = [_by_word(text) for text in self._judged]
        self.dropped = 0

    def __call__(self, examples: Iterable[Example]) -> Iterator[Example]:
        """The examples that may be trained on."""
        for example in examples:
            if self.holds(example.query):
                self.dropped += 1
            else:
                yield example

    def holds(self, query: str) -> bool:
        """Whether `query` is a judged one: the same letters but for a few, in this order of words or another."""
        text = _plain(query)
        return _is_near(text, self._judged) or _is_near(_by_word(text), self._sorted)


def _is_near(text: str, judged: Sequence[str]) -> bool:
    return process.extractOne(text, judged, scorer=fuzz.ratio, score_cutoff=NEAR) is not None


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _by_word(text: str) -> str:
    return " ".join(sorted(text.split()))
