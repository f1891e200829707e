"""Abbreviations that documents explain themselves: "Society of Hispanic Professional Engineers (SHPE)"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from index.document import Document
from index.lexicon import Entity

_ENGLISH = ("a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to")
_OTHERS = (
    "de",
    "der",
    "des",
    "die",
    "du",
    "el",
    "et",
    "für",
    "för",
    "la",
    "le",
    "les",
    "och",
    "av",
    "und",
    "y",
)
_SMALL = frozenset((*_ENGLISH, *_OTHERS))
_PAREN = re.compile(r"([^()\n.;:!?]{6,120}?)\s*\(([^\W\d_][\w&/-]{2,9})\)")
_SPLIT = re.compile(r"[\s\-/]+")
_MIN_LETTERS = 2


def mine(documents: Iterable[Document]) -> Iterator[Entity]:
    """An entity for each distinct (long form, abbreviation) that some document states."""
    return abbreviations(stated for document in documents for stated in explained(document))


def explained(document: Document) -> tuple[tuple[str, str], ...]:
    """The (long form, abbreviation) that `document` states, in the order they stand there."""
    text = "\n".join(filter(None, (document.title, document.provider, document.description)))
    pairs = ((long_form(found[1], found[2]), found[2]) for found in _PAREN.finditer(text))
    return tuple(dict.fromkeys((long, short) for long, short in pairs if long))


def abbreviations(stated: Iterable[tuple[str, str]]) -> Iterator[Entity]:
    """An entity for each distinct (long form, abbreviation) of `stated`, the long form as it was written first."""
    seen: set[tuple[str, str]] = set()
    for long, short in stated:
        if (long.casefold(), short) not in seen:
            seen.add((long.casefold(), short))
            yield Entity(long, "abbreviation", (long, short), (long, short))


def long_form(before: str, short: str) -> str | None:
    """The last words of `before` whose initials spell `short`, or None.

    Small words may be skipped or counted ("Office of Science" is OS or OoS); at least two letters must be capitals,
    and the long form must begin with one.
    """
    letters = [letter for letter in short if letter.isalpha()]
    if sum(letter.isupper() for letter in letters) < _MIN_LETTERS:
        return None
    words = _SPLIT.split(before.strip())
    needed = [letter.casefold() for letter in letters]
    at = len(words)
    while needed and at:
        at -= 1
        word = words[at].strip("'’\"“”,")
        if word[:1].casefold() == needed[-1]:
            needed.pop()
        elif word.casefold() not in _SMALL:
            return None
    long = " ".join(words[at:]).strip(" ,\"'“”")
    return long if not needed and long[:1].isupper() else None
