"""Intervals, paired tests and Holm's correction against scipy and against their definitions."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluation import significance
from evaluation.significance import holm, intervals, randomisation_p


def rng(seed=7):
    return np.random.default_rng(seed)


def test_an_interval_is_the_percentiles_of_resampled_means():
    values = rng(1).random((2, 30))
    found = intervals(values, rng(), resamples=20_000)
    picks = rng(99).integers(0, 30, (20_000, 30))
    expected = np.percentile(values[:, picks].mean(axis=-1), [2.5, 97.5], axis=1).T
    assert found == pytest.approx(expected, abs=0.004)


def test_an_interval_covers_the_truth_about_as_often_as_it_says():
    source = rng(5)
    covered = 0
    for _ in range(300):
        low, high = intervals(source.random((1, 40)), source, resamples=500)[0]
        covered += low <= 0.5 <= high
    assert 0.90 <= covered / 300 <= 0.98


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.integers(0, 5))
@settings(max_examples=25)
def test_an_interval_lies_around_the_mean_and_within_the_values(values, seed):
    low, high = intervals(np.array([values]), rng(seed), resamples=200)[0]
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    again = intervals(np.array([values]), rng(seed), resamples=200)[0]
    assert (low, high) == tuple(again)


def test_rows_share_their_resamples_so_equal_rows_have_equal_intervals():
    values = np.tile(rng(2).random(25), (3, 1))
    found = intervals(values, rng())
    assert (found == found[0]).all()


def test_an_interval_does_not_depend_on_the_size_of_a_block(monkeypatch):
    values = rng(3).random((2, 20))
    whole = intervals(values, rng(), resamples=300)
    monkeypatch.setattr(significance, "BLOCK", 70)
    assert intervals(values, rng(), resamples=300) == pytest.approx(whole)


@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 2)), min_size=1, max_size=9))
@settings(max_examples=30)
def test_p_approaches_the_share_of_all_sign_flips_that_reach_as_far(differences):
    values = np.array(differences)
    flips = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    exact = np.mean(np.array(flips) >= abs(values.sum()) - 1e-9)
    assert randomisation_p(values, rng()) == pytest.approx(exact, abs=0.025)


def test_p_agrees_with_scipy_on_a_real_sized_sample():
    values = rng(11).normal(0.04, 0.3, 150)
    theirs = stats.permutation_test(
        (values,),
        np.mean,
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        batch=500,
        rng=rng(3),
    )
    assert randomisation_p(values, rng(), resamples=20_000) == pytest.approx(theirs.pvalue, abs=0.015)


def test_p_is_uniform_when_nothing_differs():
    source = rng(23)
    found = [randomisation_p(source.normal(0, 1, 30), source, resamples=400) for _ in range(400)]
    assert stats.kstest(found, "uniform").pvalue > 0.001


def test_p_is_never_zero_and_one_when_no_query_moved():
    assert randomisation_p(np.zeros(10), rng()) == 1.0
    assert randomisation_p(np.ones(60), rng(), resamples=999) == pytest.approx(1 / 1000)
    assert randomisation_p(np.array([0.3]), rng()) == 1.0


@given(st.lists(st.sampled_from([-0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=40), st.integers(0, 3))
@settings(max_examples=25)
def test_p_sees_neither_direction_nor_ties_nor_blocks(differences, seed):
    values = np.array(differences)
    p = randomisation_p(values, rng(seed), resamples=500)
    assert randomisation_p(-values, rng(seed), resamples=500) == p
    assert randomisation_p(np.append(values, [0.0, 0.0]), rng(seed), resamples=500) == p
    assert 1 / 501 <= p <= 1


def by_closed_testing(p_values):
    """Holm as the closed test it is: a hypothesis falls when every set that holds it falls to Bonferroni."""
    everyone = range(len(p_values))
    return [
        max(
            min(1.0, len(members) * min(p_values[member] for member in members))
            for size in range(1, len(p_values) + 1)
            for members in combinations(everyone, size)
            if chosen in members
        )
        for chosen in everyone
    ]


@given(st.lists(st.floats(0, 1), max_size=7))
def test_holm_equals_closed_testing(p_values):
    assert holm(p_values) == pytest.approx(by_closed_testing(p_values))


def test_holm_on_a_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
