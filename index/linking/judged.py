"""Pairs of records that a person has judged, what they are a sample of, and how well the linker does on them.

`judged/pairs.tsv`: ids, the judgement (same, apart or unsure), the stratum it was drawn from, what it is for (choose:
weights and threshold; held: the figure), and a reason. `judged/strata.tsv`: how many candidate pairs a stratum has.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from .sketch import Sketch

_FOLDER = Path(__file__).parent / "judged"
_Z = 1.96
_DRAWS = 2000
Half = Literal["choose", "held"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged pair."""

    first: str
    second: str
    label: str
    stratum: str
    half: str

    @property
    def same(self) -> bool:
        """Whether it was judged to be one programme."""
        return self.label == "same"


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figure:
    """How well links agree with judgements.

    right, wrong, missed: pairs. precision and recall are of the sample, which holds many more hard pairs than there
    are (Wilson intervals); the weighted ones count a pair for as many as its stratum stands for (bootstrap intervals).
    """

    pairs: int
    right: int
    wrong: int
    missed: int
    precision: Share
    recall: Share
    weighted_precision: Share
    weighted_recall: Share


def judged(half: Half, known: Mapping[str, Sketch]) -> list[Judged]:
    """The judged pairs of one half, without the unsure ones and without those whose records are not `known`."""
    with (_FOLDER / "pairs.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [
        Judged(row["first_id"], row["second_id"], row["label"], row["stratum"], row["half"])
        for row in rows
        if row["half"] == half
        and row["label"] != "unsure"
        and row["first_id"] in known
        and row["second_id"] in known
    ]


def figure(pairs: Sequence[Judged], linked: Sequence[bool]) -> Figure:
    """The figure for judged pairs of which `linked` says whether the linker joins them."""
    same = np.array([one.same for one in pairs])
    told = np.array(linked, dtype=bool)
    right, wrong, missed = (int(mask.sum()) for mask in (same & told, ~same & told, same & ~told))
    weights = _weights(pairs)
    low, high = _bootstrap(pairs, same, told, weights)
    precision, recall = _shares(same, told, weights)
    return Figure(
        pairs=len(pairs),
        right=right,
        wrong=wrong,
        missed=missed,
        precision=wilson(right, right + wrong),
        recall=wilson(right, right + missed),
        weighted_precision=Share(precision, low[0], high[0]),
        weighted_recall=Share(recall, low[1], high[1]),
    )


def wilson(hits: int, of: int) -> Share:
    """The share `hits` of `of` with its Wilson interval; of nothing it is 0 to 1."""
    if not of:
        return Share(0.0, 0.0, 1.0)
    share, z = hits / of, _Z * _Z / of
    middle = (share + z / 2) / (1 + z)
    reach = _Z / (1 + z) * math.sqrt(share * (1 - share) / of + z / (4 * of))
    return Share(share, max(0.0, middle - reach), min(1.0, middle + reach))


def _weights(pairs: Sequence[Judged]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    with (_FOLDER / "strata.tsv").open(encoding="utf-8", newline="") as lines:
        sizes = {row["stratum"]: int(row["pairs"]) for row in csv.DictReader(lines, delimiter="\t")}
    drawn = Counter(one.stratum for one in pairs)
    return np.array([sizes.get(one.stratum, 0) / drawn[one.stratum] for one in pairs], np.float64)


def _shares(same: np.ndarray, told: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    right = float(weights[same & told].sum())
    return right / max(float(weights[told].sum()), 1e-12), right / max(float(weights[same].sum()), 1e-12)


def _bootstrap(
    pairs: Sequence[Judged],
    same: np.ndarray,
    told: np.ndarray,
    weights: np.ndarray,
) -> tuple[list[float], list[float]]:
    """The 2.5 % and 97.5 % points of both weighted shares, each stratum drawn anew from its own pairs."""
    rng = np.random.default_rng(0)
    strata = np.array([one.stratum for one in pairs])
    rows = [np.flatnonzero(strata == name) for name in sorted(set(strata.tolist()))]
    drawn = []
    for _ in range(_DRAWS):
        some = np.concatenate([rng.choice(mine, len(mine)) for mine in rows])
        drawn.append(_shares(same[some], told[some], weights[some]))
    ends = np.percentile(np.array(drawn), [2.5, 97.5], axis=0)
    return ends[0].tolist(), ends[1].tolist()
