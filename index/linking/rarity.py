"""How telling a word of a name is: "Clarendon" says which award it is, "international" does not."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

_TABLE = Path(__file__).parent / "tables" / "rarity.tsv"
_LEAST = 6
"""A term that fewer names than this hold is not listed: all of those are equally rare."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """Weights of terms, from the number of names (each counted once per giver) that hold them."""

    names: int
    held: Mapping[str, int]
    _weights: Mapping[str, float]
    _unlisted: float

    @classmethod
    def of(cls, names: int, held: Mapping[str, int]) -> Self:
        """The rarity of terms of which `held` says how many of all `names` hold each."""
        weights = {term: math.log(names / count) for term, count in held.items()}
        return cls(names, held, weights, math.log(names / (_LEAST - 1)))

    def weight(self, term: str) -> float:
        """Natural logarithm of how many names there are for one with this term; 0 for a term of every name."""
        return self._weights.get(term, self._unlisted)

    def total(self, terms: Iterable[str]) -> float:
        """The sum of the weights."""
        weights, unlisted = self._weights, self._unlisted
        return math.fsum([weights.get(term, unlisted) for term in terms])


@lru_cache(maxsize=1)
def rarity() -> Rarity:
    """The table that ships with this program."""
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        counts = {row["term"]: int(row["names"]) for row in csv.DictReader(lines, delimiter="\t")}
    return Rarity.of(counts.pop(""), counts)


def write_rarity(counts: Mapping[str, int]) -> None:
    """Puts counts in the place of the table that ships with this program."""
    with _TABLE.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(("term", "names"))
        table.writerows(counts.items())


def counted(names: Collection[Iterable[str]]) -> dict[str, int]:
    """The counts of `names`, each given as its terms, as the table holds them; "" stands for all names."""
    counts: dict[str, int] = {}
    for name in names:
        for term in set(name):
            counts[term] = counts.get(term, 0) + 1
    kept = {term: count for term, count in sorted(counts.items()) if count >= _LEAST}
    return {"": len(names), **kept}
