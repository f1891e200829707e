"""A document as passages: the stretches that the bi-encoder reads and that a hit shows.

Every passage begins with the title and provider, so that it can be understood alone; the first also states the
facts (countries, levels, fields). A translation is a passage of its own, in its own language. Lengths are counted in
*units*: a word of an alphabetic script is one, a Han, Kana, Hangul or Thai character 0.6, which is close to what the
tokenizers make of them.
"""

from __future__ import annotations

import re

from index.document import Document
from index.gazetteer import LEVEL_NAMES, country_name
from index.language import detect, script

# Raise when a rule below changes: vectors of old passages are then not taken for new ones.
_VERSION = "2"
MAX_PASSAGES = 12
_WIDE = frozenset({"han", "kana", "hangul", "thai"})
_WIDE_UNITS = 0.6
_DETECT_CHARACTERS = 300
# A sentence ends at a full stop before white space, at a CJK full stop, or at a line break.
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？；])|\s*\n+\s*")
_SPACE = re.compile(r"\s+")


def fingerprint() -> str:
    """Names the rules by which documents become passages."""
    return f"passages-{_VERSION}-{MAX_PASSAGES}"


def header(document: Document) -> str:
    """Title and provider, the words every passage of a document begins with."""
    return ". ".join(part for part in (document.title.strip(), (document.provider or "").strip()) if part)


def facts(document: Document) -> str:
    """The countries, levels and fields a document states, in English words; "" when it states none."""
    parts = [
        ", ".join(country_name(code) for code in (document.host_countries or ())[:8]),
        ", ".join(LEVEL_NAMES.get(level, level) for level in (document.levels or ())),
        ", ".join(
            [field for field in document.fields or () if not field.isdigit()][:6]
        ),  # codes are not words
    ]
    return ". ".join(part for part in parts if part)


def body(document: Document) -> str:
    """Description, eligibility and the amount as stated, a line each."""
    amount = document.amount.text if document.amount and document.amount.text else None
    return "\n".join(part for part in (document.description, document.eligibility, amount) if part)


def passages(document: Document, max_units: int) -> list[tuple[str, str]]:
    """The passages of one document as (text, language); at least one. The first states the facts.

    At most `MAX_PASSAGES` come from the body, and one from each translation. `max_units` bounds the part of a passage
    that comes after the title and the facts.
    """
    top = header(document)
    stated = facts(document)
    chunks = split(body(document), max_units)[:MAX_PASSAGES] or [""]
    first = ". ".join(part for part in (top, stated, chunks[0]) if part)
    texts = [first, *(f"{top}. {chunk}" for chunk in chunks[1:])]
    language = document.language or detect(first[:_DETECT_CHARACTERS])
    translated = [
        (chunk, tag)
        for tag, text in document.translations.items()
        for chunk in split(". ".join(filter(None, (text.title, text.description))), max_units)[:1]
    ]
    return [*((text, language) for text in texts), *translated]


def without_head(text: str, document: Document) -> str:
    """A passage's own words: what is left of `text` after the title, provider and facts; all of it if nothing is."""
    rest = text
    for head in (header(document), facts(document)):
        if head and rest.startswith(head):
            rest = rest[len(head) :].removeprefix(".").lstrip()
    return rest or text


def split(text: str, max_units: int) -> list[str]:
    """`text` in stretches of at most `max_units` units, cut between sentences where that is possible."""
    chunks: list[str] = []
    current: list[str] = []
    used = 0.0
    for sentence in _pieces(text, max_units):
        length = units(sentence)
        if current and used + length > max_units:
            chunks.append(" ".join(current))
            current, used = [], 0.0
        current.append(sentence)
        used += length
    if current:
        chunks.append(" ".join(current))
    return chunks


def units(text: str) -> float:
    """How long `text` is: words, plus 0.6 for each character of a script that writes no spaces."""
    wide = sum(1 for character in text if not character.isascii() and script(character) in _WIDE)
    return len(text.split()) + _WIDE_UNITS * wide


def _pieces(text: str, max_units: int) -> list[str]:
    """Sentences, with those longer than a passage cut into passage-sized runs of words or characters."""
    pieces: list[str] = []
    for sentence in _SENTENCE.split(text):
        clean = _SPACE.sub(" ", sentence).strip()
        if not clean:
            continue
        if units(clean) <= max_units:
            pieces.append(clean)
        else:
            pieces.extend(_cut(clean, max_units))
    return pieces


def _cut(sentence: str, max_units: int) -> list[str]:
    words = sentence.split(" ")
    if len(words) > max_units / 2:
        size = max_units
        return [" ".join(words[at : at + size]) for at in range(0, len(words), size)]
    size = int(max_units / _WIDE_UNITS)
    return [sentence[at : at + size] for at in range(0, len(sentence), size)]
