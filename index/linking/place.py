"""Countries in names: "British Chevening" says no more than the record's host country does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from index.analyzer import analyze
from index.countries import COUNTRIES
from index.lexicon import entities

_SHORT = {
    "eu": "EU",
    "europe": "EU",
    "emea": "EU",
    "uk": "GB",
    "britain": "GB",
    "usa": "US",
    "america": "US",
    "uae": "AE",
    "korea": "KR",
}


@dataclass(frozen=True, slots=True)
class Places:
    """Countries by a term of one of their names, each with all terms of that name."""

    by_term: Mapping[str, tuple[tuple[frozenset[str], str], ...]]

    def of(self, terms: frozenset[str]) -> dict[str, str]:
        """The terms among `terms` that name a country, with its code."""
        found: dict[str, str] = {}
        for term in terms & self.by_term.keys():
            for name, code in self.by_term[term]:
                if name <= terms:
                    found.update((one, code) for one in name)
        return found


@lru_cache(maxsize=1)
def places() -> Places:
    """Names and demonyms of countries as the terms that a name is made of."""
    by_term: dict[str, list[tuple[frozenset[str], str]]] = {}
    named = [(name, one.country or "") for one in entities() if one.kind == "country" for name in one.names]
    for name, code in (*named, *_SHORT.items()):
        terms = frozenset(analyze(name, "en"))
        if terms and (code in COUNTRIES or name in _SHORT):
            by_term.setdefault(max(terms, key=lambda term: (len(term), term)), []).append((terms, code))
    return Places({term: tuple(sorted(held, key=_last)) for term, held in by_term.items()})


def _last(named: tuple[frozenset[str], str]) -> tuple[int, str]:
    """The order of names of one term, so that the longest is found last and stands: "South Korea"."""
    return len(named[0]), named[1]
