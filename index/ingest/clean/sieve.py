"""Whether a text can hold what a rule looks for: a few plain searches that spare most texts a slow pattern."""

from __future__ import annotations

from collections.abc import Iterable


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Whether `text` holds one of `words`."""
    return any(word in text for word in words)
