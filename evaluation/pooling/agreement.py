"""How far judges agree beyond chance, and what their grades come to."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median_low

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score

from .pool import Pair
from .sheet import HIGHEST_GRADE, Graded


@dataclass(frozen=True, slots=True)
class Agreement:
    """How some judges agree.

    pairs: graded by two of them or more; exact: the share of these with one grade. alpha: Krippendorff's, ordinal;
    kappas: Cohen's, with quadratic weights, by two judges' names. None where all grades are alike or nobody graded the
    same pair: chance cannot be told from agreement there.
    """

    pairs: int
    exact: float | None
    alpha: float | None
    kappas: Mapping[tuple[str, str], float | None]
    disputed: tuple[tuple[Pair, Mapping[str, int]], ...]


def agreement(judges: Mapping[str, Sequence[Graded]]) -> Agreement:
    """What the judges' grades say of one another; disputed: pairs whose grades differ by two or more, widest first.

    Krippendorff, Content Analysis (2004), chapter 11; Cohen, Psychological Bulletin 70 (1968).
    """
    grades = by_pair(judges)
    shared = {pair: given for pair, given in grades.items() if len(given) > 1}
    spread = {pair: max(given.values()) - min(given.values()) for pair, given in shared.items()}
    disputed = sorted(
        (pair for pair in shared if spread[pair] > 1),
        key=lambda pair: (-spread[pair], pair.query_id, pair.doc_id),
    )
    return Agreement(
        pairs=len(shared),
        exact=sum(not wide for wide in spread.values()) / len(shared) if shared else None,
        alpha=_alpha(list(judges), shared),
        kappas={pair: _kappa(shared, *pair) for pair in combinations(judges, 2)},
        disputed=tuple((pair, shared[pair]) for pair in disputed),
    )


def by_pair(judges: Mapping[str, Sequence[Graded]]) -> dict[Pair, dict[str, int]]:
    """Each pair's grades by judge."""
    grades: dict[Pair, dict[str, int]] = {}
    for judge, given in judges.items():
        for one in given:
            grades.setdefault(Pair(one.query_id, one.doc_id), {})[judge] = one.grade
    return grades


def settled(judges: Mapping[str, Sequence[Graded]]) -> dict[Pair, int]:
    """One grade a pair: the median of its grades, of two middle ones the lower. A doubt never makes a hit."""
    return {pair: median_low(given.values()) for pair, given in by_pair(judges).items()}


def _alpha(judges: Sequence[str], shared: Mapping[Pair, Mapping[str, int]]) -> float | None:
    given = {grade for grades in shared.values() for grade in grades.values()}
    if len(given) < 2:
        return None
    table = np.array([[grades.get(judge, np.nan) for grades in shared.values()] for judge in judges])
    domain = np.arange(HIGHEST_GRADE + 1)
    return float(
        krippendorff.alpha(reliability_data=table, level_of_measurement="ordinal", value_domain=domain)
    )


def _kappa(shared: Mapping[Pair, Mapping[str, int]], one: str, other: str) -> float | None:
    both = [(grades[one], grades[other]) for grades in shared.values() if one in grades and other in grades]
    if len({grade for pair in both for grade in pair}) < 2:
        return None
    left, right = zip(*both, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a judge who gave one grade alone: the figure below says so
        found = float(
            cohen_kappa_score(left, right, weights="quadratic", labels=list(range(HIGHEST_GRADE + 1)))
        )
    return found if np.isfinite(found) else None
