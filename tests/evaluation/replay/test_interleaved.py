"""Preferences: by hand, against the sign test, and false alarms counted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from evaluation.replay.decisions import ReplayError
from evaluation.replay.interleaved import preference


def told(a: list[int], b: list[int], units: list[int] | None = None, seed: int = 1):
    units = list(range(len(a))) if units is None else units
    return preference(np.array(units), np.array(a), np.array(b), np.random.default_rng(seed))


def test_wins_by_hand():
    found = told([2, 0, 1, 1, 0], [1, 0, 0, 1, 3], [1, 1, 2, 2, 3])
    assert (found.wins_a, found.wins_b, found.searches, found.units) == (2, 1, 5, 3)
    assert found.preference == pytest.approx(1 / 3)
    assert (
        found.warning == "only 2 units decided anything" or found.warning == "only 3 units decided anything"
    )


def test_with_one_search_a_unit_the_test_is_the_sign_test():
    a = [1] * 70 + [0] * 45
    found = told(a, [1 - one for one in a])
    assert found.p == pytest.approx(binomtest(70, 115).pvalue, abs=0.006)
    assert found.low < 25 / 115 < found.high
    assert found.verdict.startswith("users prefer a: 70 of 115")


def test_a_unit_that_searches_a_lot_is_one_voice():
    """One person's 200 searches for a, against twenty people's for b."""
    a = [1] * 200 + [0] * 20
    found = told(a, [1 - one for one in a], [0] * 200 + list(range(1, 21)))
    assert found.preference > 0.8
    assert found.verdict.startswith("no preference can be told")


def test_false_alarms_are_as_rare_as_promised():
    """300 comparisons of equals with uneven units at 5 %: 15 on average, more than 29 once in two thousand."""
    alarms = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        units = np.repeat(np.arange(60), rng.integers(1, 8, 60))
        lean = np.where(rng.random(60) < 0.5, 0.8, 0.2)[units]
        a = (rng.random(len(units)) < lean).astype(np.int64)
        alarms += preference(units, a, 1 - a, rng).p < 0.05
    assert 3 <= alarms <= 29


def test_without_a_decision_there_is_no_figure():
    with pytest.raises(ReplayError, match="no search was decided"):
        told([1, 0], [1, 0])
