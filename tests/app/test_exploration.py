"""The draw against enumeration: every coin of a swap, every order of a Plackett-Luce draw."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exploration import chances, drawn, explore
from app.plan import Exploration, Interleaving, Plan

SWAPS = [Exploration("swap", chance=0.2), Exploration("swap", chance=0.5)]
LUCES = [Exploration("plackett-luce", temperature=heat) for heat in (0.1, 0.5, 1.0)]


def orders_of_swaps(chance: float, count: int) -> dict[tuple[int, ...], float]:
    """Order → chance, over both pairings and every outcome of every pair."""
    found: dict[tuple[int, ...], float] = {}
    for start in (0, 1):
        pairs = list(range(start, count - 1, 2))
        for swapped in product((False, True), repeat=len(pairs)):
            order = list(range(count))
            share = 0.5
            for at, is_swapped in zip(pairs, swapped, strict=True):
                share *= chance if is_swapped else 1 - chance
                if is_swapped:
                    order[at], order[at + 1] = order[at + 1], order[at]
            found[tuple(order)] = found.get(tuple(order), 0.0) + share
    return found


def orders_of_luce(temperature: float, count: int) -> dict[tuple[int, ...], float]:
    """Order → chance, each hit drawn from those left by its weight."""
    weight = [(at + 1) ** (-1 / temperature) for at in range(count)]
    return {
        order: math.prod(weight[order[at]] / sum(weight[one] for one in order[at:]) for at in range(count))
        for order in permutations(range(count))
    }


def all_orders(exploration: Exploration, count: int) -> dict[tuple[int, ...], float]:
    if exploration.method == "swap":
        return orders_of_swaps(exploration.chance, count)
    return orders_of_luce(exploration.temperature, count)


@pytest.mark.parametrize("exploration", SWAPS + LUCES, ids=str)
@pytest.mark.parametrize("count", [2, 3, 5, 6])
def test_chances_are_those_of_all_orders_counted_out(exploration: Exploration, count: int):
    counted = np.zeros((count, count))
    for order, share in all_orders(exploration, count).items():
        counted[list(order), range(count)] += share
    np.testing.assert_allclose(chances(exploration, count), counted, atol=1e-12)


@pytest.mark.parametrize("exploration", SWAPS + LUCES, ids=str)
def test_orders_are_drawn_as_often_as_they_should(exploration: Exploration):
    """20,000 draws of four hits against the full distribution, by chi-square."""
    rng = np.random.default_rng(7)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(20_000):
        order = tuple(drawn(exploration, 4, rng).tolist())
        seen[order] = seen.get(order, 0) + 1
    expected = {order: 20_000 * share for order, share in all_orders(exploration, 4).items()}
    assert set(seen) <= set(expected)
    often = {order: n for order, n in expected.items() if n >= 5}
    statistic = sum((seen.get(order, 0) - n) ** 2 / n for order, n in often.items())
    freedom = len(often)
    assert statistic < freedom + 5 * math.sqrt(2 * freedom)


@given(st.integers(2, 10), st.integers(0, 2**32), st.sampled_from(SWAPS + LUCES), st.integers(0, 14))
def test_nothing_is_lost_and_only_the_first_move(depth: int, seed: int, kind: Exploration, length: int):
    exploration = Exploration(kind.method, depth, kind.chance, kind.temperature)
    rows = np.arange(length) * 7
    shown, propensities = explore(rows, np.zeros(length, bool), exploration, np.random.default_rng(seed))
    assert sorted(shown.tolist()) == rows.tolist()
    assert shown[depth:].tolist() == rows[depth:].tolist()
    assert (propensities[depth:] == 1).all()
    assert ((propensities > 0) & (propensities <= 1)).all()


def test_a_hit_is_told_its_own_chance():
    exploration = Exploration("swap", depth=4, chance=0.5)
    table = chances(exploration, 4)
    for seed in range(50):
        shown, propensities = explore(
            np.arange(9), np.zeros(9, bool), exploration, np.random.default_rng(seed)
        )
        for place in range(4):
            assert propensities[place] == table[shown[place], place]


def test_no_closed_programme_is_lifted_over_an_open_one_where_they_stand_last():
    closed = np.array([False, False, False, True, True, True])
    exploration = Exploration("plackett-luce", temperature=2.0)
    for seed in range(100):
        shown, propensities = explore(np.arange(6), closed, exploration, np.random.default_rng(seed))
        assert shown[3:].tolist() == [3, 4, 5]
        np.testing.assert_allclose(propensities[:3], chances(exploration, 3)[shown[:3], [0, 1, 2]])


@pytest.mark.parametrize("wrong", [{"depth": 1}, {"depth": 11}, {"chance": 0.6}, {"temperature": 0.0}])
def test_a_value_out_of_range_is_refused(wrong: dict[str, float]):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Exploration(**wrong)  # type: ignore[arg-type]


def test_a_plan_does_not_explore_and_interleave_at_once():
    with pytest.raises(ValueError, match="not both"):
        Plan("x", ("lexical",), explore=Exploration(), interleave=Interleaving("bm25"))
