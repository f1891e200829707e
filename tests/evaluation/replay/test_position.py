"""Position bias from clicks of users whose bias is known, and in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.replay.decisions import ReplayError
from evaluation.replay.position import Shows, fitted, harvested, weighed
from evaluation.replay.users import Cascade, PositionBased, attraction

RANKS = 6


def swapped(searches: int, seed: int, shuffle: bool = False) -> tuple[Shows, np.ndarray]:
    """Position-biased users on 40 queries of six hits; neighbours swapped by coin, or all of it shuffled."""
    rng = np.random.default_rng(seed)
    users = PositionBased(steepness=0.8)
    grades = rng.integers(0, 4, (40, RANKS))
    query = rng.integers(0, 40, searches)
    order = np.tile(np.arange(RANKS), (searches, 1))
    if shuffle:
        order = rng.permuted(order, axis=1)
    else:
        for row in order:
            for at in range(int(rng.integers(2)), RANKS - 1, 2):
                if rng.random() < 0.5:
                    row[[at, at + 1]] = row[[at + 1, at]]
    clicked = users.browse(grades[query[:, None], order], rng).clicked
    ranks = np.tile(np.arange(1, RANKS + 1), searches)
    shows = Shows(
        (query[:, None] * RANKS + order).ravel(), ranks, clicked.ravel(), np.full(len(ranks), 1 / RANKS)
    )
    return shows, users.examination(RANKS)


def test_swapped_neighbours_give_the_bias_back():
    shows, truth = swapped(30_000, 1)
    np.testing.assert_allclose(harvested(shows, RANKS), truth, rtol=0.12)


def test_a_shuffled_arm_gives_the_bias_back_without_a_query_coming_again():
    shows, truth = swapped(30_000, 2, shuffle=True)
    np.testing.assert_allclose(weighed(shows, RANKS), truth, rtol=0.08)
    np.testing.assert_allclose(harvested(shows, RANKS), truth, rtol=0.08)


def test_expectation_maximisation_gives_the_bias_back_and_never_grows_less_likely():
    shows, truth = swapped(30_000, 3, shuffle=True)
    np.testing.assert_allclose(fitted(shows, RANKS).examination, truth, rtol=0.1)
    steps = [fitted(shows, RANKS, rounds=rounds).log_likelihood(shows) for rounds in range(1, 25)]
    assert (np.diff(steps) > -1e-6).all()
    assert steps[-1] > steps[0] + 1


def test_raw_click_rates_of_a_good_ranking_are_far_steeper_than_the_bias():
    """What the estimates are for: where the best stand first, a plain rate by rank mixes merit and place."""
    rng = np.random.default_rng(4)
    grades = np.sort(rng.integers(0, 4, (20_000, RANKS)), axis=1)[:, ::-1]
    users = PositionBased(steepness=0.8)
    rate = users.browse(grades, rng).clicked.mean(axis=0)
    assert rate[-1] / rate[0] < 0.4 * users.examination(RANKS)[-1]


def test_two_ranks_in_closed_form():
    """One hit, 100 times at rank 1 with 60 clicks and 50 times at rank 2 with 15: 0.3 / 0.6."""
    ranks = np.array([1] * 100 + [2] * 50)
    clicked = np.array([True] * 60 + [False] * 40 + [True] * 15 + [False] * 35)
    shows = Shows(np.zeros(150, np.int64), ranks, clicked, np.full(150, 0.5))
    assert harvested(shows, 2)[1] == pytest.approx(0.5, abs=1e-4)


def test_a_single_rank_is_its_own_measure_and_without_a_click_there_is_none():
    shows = Shows(
        np.zeros(4, np.int64), np.ones(4, np.int64), np.array([True, False, True, False]), np.ones(4)
    )
    for estimate in (weighed, harvested, lambda *asked: fitted(*asked).examination):
        assert estimate(shows, 1).tolist() == [1.0]
        silent = Shows(shows.pairs, shows.ranks, np.zeros(4, bool), shows.propensities)
        with pytest.raises(ReplayError, match="nothing was clicked at rank 1"):
            estimate(silent, 1)


def test_an_order_that_never_changed_is_refused():
    shows = Shows(np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([True, True, False]), np.ones(3))
    with pytest.raises(ReplayError, match="rank 2, 3"):
        harvested(shows, 3)


def test_clicks_come_as_often_as_the_model_says():
    """Both models by their own recursion, grade by grade (5 standard errors of 40,000 pages)."""
    page = np.array([2, 0, 3, 1])
    pages, rng = np.tile(page, (40_000, 1)), np.random.default_rng(6)
    draw = attraction(page, 0.1)
    np.testing.assert_allclose(draw, [0.1 + 0.9 * 3 / 7, 0.1, 1.0, 0.1 + 0.9 / 7])
    placed = PositionBased(1.0).browse(pages, rng).clicked.mean(axis=0)
    np.testing.assert_allclose(placed, draw / [1, 2, 3, 4], atol=5 * 0.5 / 200)
    reading, expected = 1.0, []
    for chance, satisfies in zip(draw, [0.6, 0.05, 0.9, 0.2], strict=True):
        expected.append(reading * chance)
        reading *= (1 - chance * satisfies) * 0.85
    read = Cascade().browse(pages, rng).clicked.mean(axis=0)
    np.testing.assert_allclose(read, expected, atol=5 * 0.5 / 200)


def test_better_hits_are_read_longer_and_applied_for_and_no_hit_is_never_clicked():
    pages, rng = np.tile([3, 0, -1], (20_000, 1)), np.random.default_rng(7)
    done = PositionBased(0.0).browse(pages, rng)
    assert not done.clicked[:, 2].any()
    assert np.isnan(done.dwell_ms[~done.clicked]).all()
    assert np.nanmedian(done.dwell_ms[:, 0]) == pytest.approx(90_000, rel=0.05)
    assert np.nanmedian(done.dwell_ms[:, 1]) == pytest.approx(5_000, rel=0.1)
    assert not done.applied[~done.clicked].any()
    assert done.applied[:, 0].mean() == pytest.approx(0.25, abs=0.02)
    assert not done.applied[:, 1].any()
