"""Gates on figures, and how many queries it takes: against simulation and statsmodels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower

from evaluation.assessment import assess
from evaluation.errors import ThresholdError
from evaluation.power import queries_needed, smallest_effect
from evaluation.run import SystemRun
from evaluation.threshold import below_baseline, known_metric, parse_threshold, under


def run(rank: int, count: int = 60) -> SystemRun:
    hits = [(f"x{place}", -float(place)) for place in range(9)]
    hits.insert(rank - 1, ("good", -float(rank) + 1.5))
    return SystemRun({f"q{number}": hits for number in range(count)}, {}, "f")


QRELS = {f"q{number}": {"good": 3, "x0": 0} for number in range(60)}


@pytest.fixture(scope="module")
def judged():
    return assess("set", "dev", (), QRELS, {"base": run(1), "worse": run(4), "same": run(1)}, 2)


def test_figures_under_their_threshold_are_named(judged) -> None:
    assert under(judged, [parse_threshold("mrr@5=0.2")]) == []
    assert under(judged, [parse_threshold("mrr@5=0.5")]) == ["worse: mrr@5 0.2500 is under 0.5"]
    assert under(judged, [parse_threshold("mrr@5=0.5:base")]) == []
    with pytest.raises(ThresholdError, match="no system 'other'"):
        under(judged, [parse_threshold("mrr@5=0.5:other")])


def test_a_sure_loss_is_named_and_a_tie_is_not(judged) -> None:
    failures = below_baseline(judged, ["mrr@5"], 0.05)
    assert [failure.partition(":")[0] for failure in failures] == ["worse"]
    with pytest.raises(ThresholdError, match="is not compared"):
        below_baseline(judged, ["map@50"], 0.05)


@pytest.mark.parametrize(
    "text", ["mrr@5", "mrr@5=", "mrr@5=2", "mrr@5=nan", "mrr@5=-0.1", "mrr=0.5", "=0.5", "mrr@5=x"]
)
def test_a_gate_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(ThresholdError):
        parse_threshold(text)


def test_unknown_metrics_are_told_the_known_ones() -> None:
    with pytest.raises(ThresholdError, match="known: mrr@5"):
        known_metric("mrr")


@given(st.floats(0.05, 0.6), st.floats(0.005, 0.1), st.integers(10, 400))
def test_the_number_is_that_of_a_paired_z_test(spread: float, effect: float, count: int) -> None:
    """A paired test is a one-sample test of the differences: statsmodels has it as ratio 0."""
    differences = np.random.default_rng(count).normal(0, spread, count)
    found = queries_needed(differences, effect)
    standard = effect / differences.std(ddof=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # its search tries sizes that have no root
        expected = NormalIndPower().solve_power(standard, alpha=0.05, power=0.8, ratio=0)
    assert found is not None
    assert abs(found - np.ceil(expected)) <= max(2, 0.001 * found)  # it also counts the other tail
    assert queries_needed(differences, 2 * effect) <= found


def test_so_many_queries_find_it_in_four_of_five_sets() -> None:
    rng = np.random.default_rng(5)
    pilot = rng.choice([-0.5, 0.0, 0.0, 0.0, 0.5, 1.0], 4_000) - 0.15
    count = queries_needed(pilot, 0.05)
    assert count is not None
    trials = rng.choice(pilot - pilot.mean() + 0.05, (2_000, count))
    z = trials.mean(axis=1) / (trials.std(axis=1, ddof=1) / np.sqrt(count))
    assert 0.77 < (np.abs(z) > 1.96).mean() < 0.83
    effect = smallest_effect(pilot[:count])
    assert effect is not None
    assert 0.04 < effect < 0.06


def test_nothing_is_known_of_systems_that_never_differ() -> None:
    for values in (np.zeros(0), np.zeros(1), np.zeros(50), np.full(50, 0.25)):
        assert queries_needed(values) is None
        assert smallest_effect(values) is None
