"""Programmes that their name alone tells, whoever lists them: "Chevening" is one at every university."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .name import Name, names, terms
from .place import Places, places
from .rarity import Rarity, rarity

_INDEX = Path(__file__).parents[1]
TABLES = (_INDEX / "catalogue" / "tables" / "flagships.tsv", _INDEX / "lexicon" / "programmes.tsv")
"""Where well-known programmes are listed: with what the catalogue knows of them, and with their other names."""
_TELLING = 5.3
_SPARE, _COMMON = 5.0, 4.6
"""The weight that a listing may add to a known name, in common words alone ("programme", "international")."""


@dataclass(frozen=True, slots=True)
class Known:
    """The names of well-known programmes by their rarest term, and all words that belong to each programme.

    own: the terms of all names of a programme and of its giver.
    """

    by_term: Mapping[str, tuple[tuple[frozenset[str], str], ...]]
    own: Mapping[str, frozenset[str]]
    rarity: Rarity
    places: Places

    def programme(self, name: Name) -> str | None:
        """The well-known programme of that name, or None.

        A listing may add countries ("British Chevening"), words of the programme's own other names or giver, and a few
        common words. The name that leaves least unsaid wins, then the longest, then the first in the alphabet.
        """
        held = [one for term in name.terms for one in self.by_term.get(term, ()) if one[0] <= name.terms]
        if not held:
            return None
        where = self.places.of(name.terms).keys()
        found = []
        for listed, programme in held:
            over = name.terms - listed - where - self.own[programme]
            spare = [one for one in over if not name.abbreviated(one)]
            if all(self.rarity.weight(one) <= _COMMON for one in spare):
                found.append((self.rarity.total(spare), -self.rarity.total(listed), programme))
        near = [one for one in found if one[0] <= _SPARE]
        return min(near)[2] if near else None


@lru_cache(maxsize=1)
def known() -> Known:
    """The well-known programmes that ship with this program."""
    weights = rarity()
    by_term: dict[str, list[tuple[frozenset[str], str]]] = {}
    own: dict[str, frozenset[str]] = {}
    for programme, givers, titles, language in _listed():
        told = [name for title in titles for name in names(title, language)]
        for name in told:
            _add(by_term, name, programme, weights)
        own[programme] = own.get(programme, frozenset()).union(
            terms(givers, language), *(one.terms for one in told)
        )
    return Known(
        {
            term: tuple(sorted(set(held), key=lambda one: (one[1], sorted(one[0]))))
            for term, held in by_term.items()
        },
        own,
        weights,
        places(),
    )


def _listed() -> Iterator[tuple[str, str, list[str], str | None]]:
    """Programme, giver, names and their language, of every row of both tables."""
    flagships, programmes = TABLES
    for row in _rows(flagships):
        yield (
            row["name"],
            row["provider"],
            [row["name"], *filter(None, row["aliases"].split("|"))],
            row["language"],
        )
    for row in _rows(programmes):
        yield row["programme"], row["provider"], row["surfaces"].split("|"), None


def _rows(table: Path) -> Iterator[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def _add(
    by_term: dict[str, list[tuple[frozenset[str], str]]], name: Name, programme: str, weights: Rarity
) -> None:
    rarest = max(sorted(name.terms), key=weights.weight, default="")
    # A name of common words ("Postdoctoral Fellowship") tells nothing without its giver.
    if weights.weight(rarest) >= _TELLING:
        by_term.setdefault(rarest, []).append((name.terms, programme))
