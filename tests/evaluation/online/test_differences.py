"""The statistics of experiments: against scipy, statsmodels, brute force, and simulation with users who come back."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from statsmodels.stats.power import NormalIndPower

from evaluation.online.cuped import adjusted, difference
from evaluation.online.design import Design
from evaluation.online.power import needed_units, power_at
from evaluation.online.quantile import quantile, quantile_difference
from evaluation.online.ratio import Sums, mean, sums_by_unit
from evaluation.online.sequential import always_p, log_odds, margin
from evaluation.online.srm import check_ratio


def people(rng: np.random.Generator, units: int, lift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Codes and outcomes of searches: heavy-tailed numbers of them, alike within a person."""
    counts = np.minimum(rng.zipf(2.2, units), 40)
    taste = np.clip(rng.beta(2, 3, units) + lift, 0, 1)
    codes = np.repeat(np.arange(units), counts)
    return codes, (rng.random(len(codes)) < taste[codes]).astype(np.float64)


def test_the_variance_is_that_of_a_clustered_regression() -> None:
    rng = np.random.default_rng(1)
    codes, values = people(rng, 400)
    found = mean(sums_by_unit(codes, values, 400))
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    assert float(found.value) == pytest.approx(values.mean(), abs=1e-12)
    assert float(found.variance) == pytest.approx(float(fit.bse[0]) ** 2 * 400 / 399, rel=1e-9)


def test_intervals_hold_what_they_promise() -> None:
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(600):
        one, two = (sums_by_unit(*people(rng, 300), 300) for _ in range(2))
        found = difference(one, two)
        inside += abs(float(found.delta)) <= 1.96 * float(found.variance) ** 0.5
    assert 0.92 < inside / 600 < 0.975


@given(st.integers(0, 10_000))
def test_a_difference_turns_with_its_arms(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = (sums_by_unit(*people(rng, 60), 60) for _ in range(2))
    there, back = difference(one, two), difference(two, one)
    assert float(there.delta) == pytest.approx(-float(back.delta), abs=1e-12)
    assert float(there.variance) == pytest.approx(float(back.variance), rel=1e-12)


def test_a_past_that_foretells_narrows_and_one_that_does_not_changes_little() -> None:
    rng = np.random.default_rng(3)
    taste = rng.normal(0, 1, 2_000)
    totals = taste + rng.normal(0, 0.5, 2_000)
    sums = [Sums(totals[part], np.ones(1_000)) for part in (slice(1_000), slice(1_000, None))]
    plain = difference(*sums)
    told = adjusted(*sums, taste[:1_000], taste[1_000:])
    assert float(told.variance) < 0.35 * float(plain.variance)
    assert abs(float(told.delta)) < 4 * float(told.variance) ** 0.5
    noise = rng.normal(0, 1, 2_000)
    vain = adjusted(*sums, noise[:1_000], noise[1_000:])
    assert float(vain.variance) == pytest.approx(float(plain.variance), rel=0.02)
    unknown = np.full(1_000, np.nan)
    assert float(adjusted(*sums, unknown, unknown).delta) == pytest.approx(float(plain.delta), abs=1e-12)


def test_looking_every_day_rejects_no_more_than_it_says() -> None:
    """A/A with 14 looks at a growing sample: the least p so far stays above 5 % in 95 of 100 experiments."""
    rng = np.random.default_rng(4)
    values = rng.normal(0, 1, (1_500, 2, 14, 200)).sum(axis=-1).cumsum(axis=-1)
    counts = 200.0 * np.arange(1, 15)
    delta = (values[:, 1] - values[:, 0]) / counts
    p = always_p(delta, np.broadcast_to(2 / counts, delta.shape), 0.05)
    assert (p.min(axis=1) < 0.05).mean() <= 0.06
    fixed = np.abs(delta) / np.sqrt(2 / counts) > 1.96
    assert fixed.any(axis=1).mean() > 0.15  # what peeking at an ordinary test does


@given(st.floats(-0.2, 0.2), st.floats(1e-6, 0.01), st.floats(0.005, 0.1))
def test_the_interval_holds_every_effect_that_is_not_rejected(
    delta: float, variance: float, mixing: float
) -> None:
    half = float(margin(np.asarray(variance), mixing, 0.05))
    for effect, inside in ((delta + 0.999 * half, True), (delta + 1.001 * half, False)):
        odds = float(log_odds(np.asarray(delta), np.asarray(variance), mixing, effect))
        assert (odds < np.log(1 / 0.05)) == inside


def test_the_shares_of_the_arms() -> None:
    assert check_ratio([9_300, 700], [0.95, 0.05]).mismatch
    assert not check_ratio([9_500, 500], [0.95, 0.05]).mismatch
    found = check_ratio([5_100, 4_900], [0.5, 0.5])
    assert found.p == pytest.approx(chisquare([5_100, 4_900]).pvalue)
    assert check_ratio([0, 0], [0.5, 0.5]).p is None
    assert check_ratio([10, 1], [1.0, 0.0]).p == 0.0


def test_fair_arms_hardly_ever_ring() -> None:
    """1,000 experiments at 95/5: at most 2 ring when all is well, all of them at 9,300/700."""
    rng = np.random.default_rng(6)
    small = rng.binomial(10_000, 0.05, 1_000)
    rung = sum(check_ratio([10_000 - int(n), int(n)], [0.95, 0.05]).mismatch for n in small)
    assert rung <= 4  # 0.1 % is the level; four of a thousand would be p 0.004
    off = rng.binomial(10_000, 0.07, 1_000)
    assert all(check_ratio([10_000 - int(n), int(n)], [0.95, 0.05]).mismatch for n in off)


@given(st.floats(0.1, 1.0), st.floats(0.01, 0.2))
def test_power_is_that_of_the_textbook(spread: float, effect: float) -> None:
    units = needed_units(spread, effect, 4.0, 0.05, 0.8)
    # Equal arms: n in all is twice the n of each.
    each = NormalIndPower().solve_power(effect / spread, alpha=0.05, power=0.8, ratio=1)
    assert abs(units - 2 * each) <= max(3, 0.002 * units)
    assert power_at(units, spread, effect, 4.0) >= 0.799


def test_a_clustered_quantile_holds_what_it_promises() -> None:
    rng = np.random.default_rng(7)
    inside = 0
    for _ in range(300):
        codes = np.repeat(np.arange(200), 5)
        values = rng.exponential(100, 1_000) + rng.exponential(100, 200)[codes]
        found = quantile(values, codes, 0.95)
        assert found is not None
        inside += found.low <= TRUE_P95 <= found.high
    assert inside / 300 > 0.9
    same = quantile_difference((values, codes), (values, codes), 0.95)
    assert same is not None
    assert same.value == 0
    assert same.low < 0 < same.high
    assert quantile(np.full(3, np.nan), np.arange(3), 0.5) is None


# Of the sum of two exponentials of mean 100 (a gamma of shape 2), 95 % lie below it.
TRUE_P95 = 474.386


def test_degenerate_arms_give_plain_answers() -> None:
    alone = difference(Sums(np.ones(1), np.ones(1)), Sums(np.ones(5), np.ones(5)))
    assert np.isnan(alone.variance)
    assert float(margin(alone.variance, 0.02, 0.05)) == np.inf
    assert float(always_p(alone.delta, alone.variance, 0.02)) == 1.0
    flat = difference(Sums(np.ones(9), np.ones(9)), Sums(np.ones(9), np.ones(9)))
    assert (float(flat.delta), float(flat.variance)) == (0.0, 0.0)
    with pytest.raises(ValueError, match="two arms"):
        Design("k", 1, ("only",), (1.0,))
    with pytest.raises(ValueError, match="add up to 1"):
        Design("k", 1, ("a", "b"), (0.5, 0.4))
