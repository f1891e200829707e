"""Where a text says what a query asked: spans for the page to mark."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from index.analyzer import analyze
from index.language import script

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WIDE = frozenset({"han", "kana", "hangul", "thai"})


def spans(text: str, terms: AbstractSet[str], language: str | None = None) -> list[tuple[int, int]]:
    """[(start, end)] of the stretches of `text` whose terms the query holds; offsets in code points, end exclusive.

    Overlapping and touching stretches are joined. Scripts without spaces are matched two characters at a time, as they
    are indexed.
    """
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        start = match.start()
        word = match[0]
        if any(script(character) in _WIDE for character in word):
            found.extend(
                (start + at, start + at + 2)
                for at in range(len(word) - 1)
                if not terms.isdisjoint(analyze(word[at : at + 2], language))
            )
        elif not terms.isdisjoint(analyze(word, language)):
            found.append((start, match.end()))
    return _joined(found)


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
