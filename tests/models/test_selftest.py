"""Comparing rungs: overlap, its collection, and the self-test over engines whose ways are known."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from models.agreement import Comparisons, overlap
from models.selftest import Bar, ProbeList, on_ladder, self_test, spearman

RNG = np.random.default_rng(5)
LISTS = [
    ProbeList(f"q{i}", tuple(f"text {j}" for j in range(12)), np.zeros((12, 3), np.float32)) for i in range(6)
]
TRUTH = {one.query: RNG.normal(size=12).astype(np.float32) for one in LISTS}


class Clock:
    """Goes on by what each engine says it costs."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def engine(clock: Clock, seconds: float, noise: float = 0.0):
    def score(one: ProbeList) -> np.ndarray:
        clock.now += seconds
        wrong = np.random.default_rng(len(one.query)).normal(size=12) * noise
        return (TRUTH[one.query] + wrong).astype(np.float32)

    return score


scores = st.lists(st.integers(-20, 20), min_size=6, max_size=30)


@given(st.data())
def test_overlap_is_what_sorting_gives(data) -> None:
    a = data.draw(scores)
    b = data.draw(st.lists(st.integers(-20, 20), min_size=len(a), max_size=len(a)))
    first = [at for _, at in sorted((-value, at) for at, value in enumerate(a))[:5]]
    second = [at for _, at in sorted((-value, at) for at, value in enumerate(b))[:5]]
    expected = len([at for at in first if at in second]) / 5
    assert overlap(np.array(a, np.float32), np.array(b, np.float32)) == expected


def test_five_candidates_have_no_order_to_disagree_on_and_nan_agrees_with_nothing() -> None:
    five, six = np.arange(5, dtype=np.float32), np.arange(6, dtype=np.float32)
    assert overlap(five, -five) is None
    assert overlap(six, np.array([1, 2, 3, 4, 5, np.nan], np.float32)) == 0.0


def test_comparisons_are_of_late_and_can_be_forgotten() -> None:
    seen = Comparisons(kept=3, age_s=10.0)
    for at, share in ((0.0, 0.0), (5.0, 0.2), (6.0, 0.4), (7.0, 0.6)):
        seen.add("int8", share, at)
    assert seen.reading(7.0)["int8"].count == 3
    assert seen.reading(7.0)["int8"].mean == pytest.approx(0.4)
    assert seen.reading(16.5)["int8"].mean == pytest.approx(0.6)
    assert "int8" not in seen.reading(20.0)
    seen.forget("int4")
    assert "int8" in seen.reading(7.0)
    seen.forget()
    assert seen.reading(7.0) == {}


@given(st.data())
def test_spearman_is_scipys(data) -> None:
    a = data.draw(st.lists(st.integers(-5, 5), min_size=4, max_size=20).filter(lambda v: len(set(v)) > 1))
    b = data.draw(
        st.lists(st.integers(-5, 5), min_size=len(a), max_size=len(a)).filter(lambda v: len(set(v)) > 1)
    )
    ours = spearman(np.array(a, np.float32), np.array(b, np.float32))
    assert ours == pytest.approx(spearmanr(a, b).statistic)


def test_every_rung_that_is_faster_and_agrees_is_on_the_ladder() -> None:
    clock = Clock()
    engines = {"fp16": engine(clock, 1.0), "int8": engine(clock, 0.6, 0.01), "int4": engine(clock, 0.4, 0.01)}
    found = self_test(engines, {}, LISTS, clock)
    assert on_ladder(found) == ("fp16", "int8", "int4")
    assert [round(one.gain, 2) for one in found] == [1.0, 1.67, 2.5]
    assert found[0].ms_per_pair == pytest.approx(1000 / 12)


def test_a_rung_that_ranks_otherwise_is_left_out_and_says_so() -> None:
    clock = Clock()
    engines = {"fp16": engine(clock, 1.0), "int8": engine(clock, 0.6), "int4": engine(clock, 0.4, 3.0)}
    found = self_test(engines, {}, LISTS, clock)
    assert on_ladder(found) == ("fp16", "int8")
    assert found[2].why == "disagrees"
    assert found[2].agreement < 0.9


def test_a_rung_that_is_no_faster_than_a_more_exact_one_is_left_out() -> None:
    clock = Clock()
    engines = {"fp16": engine(clock, 1.0), "int8": engine(clock, 0.6), "int4": engine(clock, 0.7)}
    found = self_test(engines, {}, LISTS, clock)
    assert on_ladder(found) == ("fp16", "int8")
    assert (found[2].why, found[2].gain > 1) == ("slower", True)
    slow = {"fp16": engine(clock, 1.0), "int8": engine(clock, 1.2), "int4": engine(clock, 0.7)}
    assert on_ladder(self_test(slow, {}, LISTS, clock)) == ("fp16", "int4")


def test_a_busy_moment_costs_no_rung_its_place() -> None:
    clock, calls = Clock(), count()

    def held_up(one: ProbeList) -> np.ndarray:
        clock.now += 5.0 if next(calls) < len(LISTS) else 0.5
        return TRUTH[one.query]

    found = self_test({"fp16": engine(clock, 1.0), "int8": held_up}, {}, LISTS, clock)
    assert found[1].on_ladder


def test_what_fails_or_is_missing_has_its_reason_and_the_rest_goes_on() -> None:
    clock = Clock()

    def broken(_: ProbeList) -> np.ndarray:
        raise RuntimeError("illegal instruction")

    engines = {"fp16": engine(clock, 1.0), "int8": broken}
    found = {one.rung: one for one in self_test(engines, {"int4": "no compiler"}, LISTS, clock)}
    assert (found["int8"].why, found["int8"].detail) == ("failed", "RuntimeError: illegal instruction")
    assert (found["int4"].why, found["int4"].detail) == ("missing", "no compiler")
    assert found["fp16"].on_ladder


def test_without_a_sound_reference_there_is_no_ladder() -> None:
    clock = Clock()
    nothing = lambda one: np.full(12, np.nan, np.float32)  # noqa: E731
    found = self_test({"fp16": nothing, "int8": engine(clock, 0.5)}, {}, LISTS, clock)
    assert on_ladder(found) == ()
    with pytest.raises(ValueError, match="needs an engine"):
        self_test({}, {}, LISTS, clock)


def test_the_bar_can_be_set() -> None:
    clock = Clock()
    engines = {"fp16": engine(clock, 1.0), "int8": engine(clock, 0.6)}
    assert on_ladder(self_test(engines, {}, LISTS, clock, bar=Bar(gain=2.0))) == ("fp16",)
