"""How much a query asks for at once, as one number: many words, many things named, of many kinds."""

from __future__ import annotations

from index.fit import named
from index.terms import query_terms

_MANY_TERMS, _MANY_THINGS, _KINDS = 12, 5, 4


def complexity(text: str, lang: str = "en") -> float:
    """In [0, 1]: 0 for a word or two, 1 for a long sentence that names level, countries, topics and a group."""
    terms = len(set(query_terms(text, lang)))
    asked = named(text)
    things = (asked.levels, asked.countries, asked.topics - asked.groups, asked.groups)
    return (
        0.4 * min(terms / _MANY_TERMS, 1.0)
        + 0.4 * min(sum(map(len, things)) / _MANY_THINGS, 1.0)
        + 0.2 * sum(map(bool, things)) / _KINDS
    )
