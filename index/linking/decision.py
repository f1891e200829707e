"""From a comparison to a score between 0 and 1, and to the words that say why.

The score is a logistic regression: the weights stand in `tables/weights.tsv` for everybody to read, and
`scholarsearch bench links --refit` makes them anew from the judged pairs.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .comparison import FEATURES, Comparison, compare, subtitles_apart
from .rarity import rarity
from .sketch import Sketch

_TABLE = Path(__file__).parent / "tables" / "weights.tsv"
THRESHOLD = 0.6
"""The least score of a link. Chosen on the judged pairs that are for choosing (docs/linking.md)."""
CONFLICT = 0.03
"""Two records that score lower are never in one programme, whatever stands between them."""

_REASONS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("known_same",), "one well-known programme"),
    (
        ("name_equal_giver_agrees", "name_equal_giver_unstated", "name_equal_giver_differs", "name_whole"),
        "same name",
    ),
    (("name_agrees",), "nearly the same name"),
    (("name_equal_giver_agrees", "giver_agrees", "giver_in_name"), "provider"),
    (("page_same",), "web address"),
    (("sum_same",), "amount"),
    (("day_same",), "deadline"),
)


@dataclass(frozen=True, slots=True)
class Link:
    """Two records of one programme, `first` before `second` by id. score: 0 to 1. reason: in plain words."""

    first: str
    second: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature adds to the logarithm of the odds, and what there is without any."""

    bias: float
    by_feature: Mapping[str, float]

    def score(self, comparison: Comparison) -> float:
        """The probability that two records so compared are one programme."""
        odds = self.bias + sum(
            self.by_feature[feature] * value
            for feature, value in zip(FEATURES, comparison.values, strict=True)
            if value
        )
        return 1.0 / (1.0 + math.exp(-odds))


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that ship with this program."""
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        found = {row["feature"]: float(row["weight"]) for row in csv.DictReader(lines, delimiter="\t")}
    return Weights(found.pop("bias"), found)


def write_weights(fitted: Weights) -> None:
    """Puts weights in the place of those that ship with this program."""
    with _TABLE.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(("feature", "weight"))
        table.writerow(("bias", f"{fitted.bias:.4f}"))
        table.writerows((feature, f"{fitted.by_feature[feature]:.4f}") for feature in FEATURES)


def score(first: Sketch, second: Sketch) -> float:
    """How sure it is, 0 to 1, that two records are one programme; 1 where both state the same programme."""
    if first.programme is not None and first.programme == second.programme:
        return 1.0
    return weights().score(compare(first, second, rarity()))


def certainly_apart(first: Sketch, second: Sketch) -> bool:
    """Whether two records are not one programme, whatever stands between them: a guard against chains."""
    return score(first, second) < CONFLICT or subtitles_apart(first, second, rarity()) > 0


def link(first: Sketch, second: Sketch) -> Link | None:
    """The link between two records, or None when it is not sure enough."""
    first, second = sorted((first, second), key=lambda one: one.doc_id)
    if first.programme is not None and first.programme == second.programme:
        return Link(first.doc_id, second.doc_id, 1.0, "both state the programme")
    comparison = compare(first, second, rarity())
    found = weights().score(comparison)
    if found < THRESHOLD:
        return None
    return Link(first.doc_id, second.doc_id, round(found, 4), reason(comparison))


def reason(comparison: Comparison) -> str:
    """Why, in plain words: "same name, provider and web address"."""
    said = [words for features, words in _REASONS if any(comparison[feature] for feature in features)]
    return (
        said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}" if said else "much in common"
    )
