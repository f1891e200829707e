"""Programmes that their name alone tells, whoever lists them: "Chevening" is one at every university."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .name import Name, names
from .rarity import Rarity, rarity

_TABLE = Path(__file__).parents[1] / "catalogue" / "tables" / "flagships.tsv"
_TELLING = 5.3
_SPARE, _COMMON = 5.0, 4.6
"""The weight that a listing may add to a known name, in common words alone ("programme", "UK")."""


@dataclass(frozen=True, slots=True)
class Known:
    """The names of well-known programmes by their rarest term."""

    by_term: Mapping[str, tuple[tuple[frozenset[str], str], ...]]
    rarity: Rarity

    def programme(self, name: Name) -> str | None:
        """The well-known programme of that name, or None. The closest name wins, then the first in the alphabet."""
        found = [
            (self.rarity.total(spare), programme)
            for term in name.terms
            for terms, programme in self.by_term.get(term, ())
            if terms <= name.terms
            for spare in [[one for one in name.terms - terms if not name.abbreviated(one)]]
            if all(self.rarity.weight(one) <= _COMMON for one in spare)
        ]
        near = [one for one in found if one[0] <= _SPARE]
        return min(near)[1] if near else None


@lru_cache(maxsize=1)
def known() -> Known:
    """The well-known programmes that ship with this program."""
    weights = rarity()
    by_term: dict[str, list[tuple[frozenset[str], str]]] = {}
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            for title in (row["name"], *filter(None, row["aliases"].split("|"))):
                for name in names(title, row["language"] or None):
                    _add(by_term, name, row["name"], weights)
    return Known(
        {term: tuple(sorted(held, key=lambda one: one[1])) for term, held in by_term.items()}, weights
    )


def _add(
    by_term: dict[str, list[tuple[frozenset[str], str]]], name: Name, programme: str, weights: Rarity
) -> None:
    rarest = max(sorted(name.terms), key=weights.weight, default="")
    # A name of common words ("Postdoctoral Fellowship") tells nothing without its giver.
    if weights.weight(rarest) >= _TELLING:
        by_term.setdefault(rarest, []).append((name.terms, programme))
