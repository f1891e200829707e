"""What a reranker reads of a document: the facts a person decides by, in words, then the passage that matched.

The most telling facts come first, for a reader with a token limit cuts at the end. Codes become English words,
titles stay in their own language with a translation beside them. Days are left out of the facts: what can still
be applied for depends on the moment of the question, and `index.timing` says it better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from index.countries import ANY
from index.document import Amount, Document
from index.fieldname import field_name
from index.gazetteer import LEVEL_NAMES, country_name
from index.passage import body, split, units, without_head

# Raise when a rule below changes: what a reranker learnt of old portraits is then not taken for the new ones.
_VERSION = 1
MAX_UNITS = 90
"""About how long a portrait is, in the units of `index.passage`; long facts may exceed it."""
_LEAST_PASSAGE_UNITS = 40
_ALIASES, _COUNTRIES, _FIELDS, _COVERAGE = 3, 6, 6, 4
_PERIODS = {"once": "once", "month": "a month", "year": "a year", "total": "in total"}


def portrait(document: Document, passage: str | None = None) -> str:
    """One line: title and other names, provider, facts, then `passage` (the beginning of the text when None).

    The passage may begin with the head every passage of `index.passage` has; it is not said twice.
    """
    head = ". ".join(_facts(document))
    text = body(document) if passage is None else without_head(passage, document)
    left = max(MAX_UNITS - int(units(head)), _LEAST_PASSAGE_UNITS)
    told = split(text, left)[:1]
    return ". ".join(part.rstrip(" .") for part in (head, *told) if part.strip(" ."))


def portrait_fingerprint() -> str:
    """Names the rules by which documents become portraits."""
    parts = (_VERSION, MAX_UNITS, _LEAST_PASSAGE_UNITS, _ALIASES, _COUNTRIES, _FIELDS, _COVERAGE)
    return f"portrait-{sha256(repr(parts).encode()).hexdigest()[:12]}"


def _facts(document: Document) -> Iterator[str]:
    """The stated facts, the most telling first; nothing for what the record does not say."""
    yield document.title.strip()
    if names := list(_other_names(document)):
        yield "Also " + "; ".join(names)
    if document.provider and document.provider.strip() != document.title.strip():
        yield document.provider.strip()
    if document.host_countries:
        yield "In " + _some(map(country_name, document.host_countries), _COUNTRIES)
    if levels := [LEVEL_NAMES[level] for level in document.levels or () if LEVEL_NAMES.get(level)]:
        yield "Level " + ", ".join(levels)
    if document.fields:
        yield "Field " + _some(map(field_name, document.fields), _FIELDS)
    if document.eligible_nationalities:
        yield _nationalities(document.eligible_nationalities)
    if sum_ := _sum(document.amount):
        yield sum_
    if document.coverage:
        yield "Covers " + _some(document.coverage, _COVERAGE)


def _other_names(document: Document) -> Iterator[str]:
    """Aliases, and the English title of a record in another language; none that repeats the title."""
    english = document.translations.get("en")
    told = {_letters(document.title), ""}
    for name in (*([english.title] if english else []), *document.aliases[:_ALIASES]):
        if _letters(name) not in told:
            told.add(_letters(name))
            yield name.strip()


def _letters(name: str) -> str:
    """A name without case, spaces and marks, for telling whether two say the same."""
    return "".join(character for character in name.casefold() if character.isalnum())


def _nationalities(codes: tuple[str, ...]) -> str:
    if ANY in codes:
        return "Open to any nationality"
    return "Open to nationals of " + _some(map(country_name, codes), _COUNTRIES)


def _sum(amount: Amount | None) -> str:
    """The sum as stated, short; "" when the record states none in figures."""
    if amount is None:
        return ""
    figures = list(dict.fromkeys(value for value in (amount.min, amount.max) if value is not None))
    if not figures:
        return ""
    period = _PERIODS[amount.period] if amount.period else ""
    words = ("Amount", amount.currency or "", " to ".join(f"{value:.0f}" for value in figures), period)
    return " ".join(word for word in words if word)


def _some(names: Iterable[str], most: int) -> str:
    """The first `most` names, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")
