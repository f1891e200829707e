import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.fusion import Fusion, Normaliser, demote, fuse
from index.types import EMPTY, RankedList, ordered


@st.composite
def ranked(draw: st.DrawFn) -> RankedList:
    rows = draw(st.lists(st.integers(0, 20), unique=True, max_size=10))
    scores = draw(st.lists(st.floats(-5, 5, width=32), min_size=len(rows), max_size=len(rows)))
    return ordered(np.array(rows, np.int64), np.array(scores, np.float32))


METHODS = [
    Fusion("rrf", rrf_k=5.0, weights={"b": 0.5}),
    *(Fusion("weighted", weights={"a": 0.7}, normaliser=name) for name in ("max", "min-max", "z-score")),
]


@pytest.mark.parametrize("fusion", METHODS, ids=lambda fusion: f"{fusion.method}-{fusion.normaliser}")
@given(a=ranked(), b=ranked())
def test_fusion_orders_the_union_whatever_the_order_of_legs(
    fusion: Fusion, a: RankedList, b: RankedList
) -> None:
    fused = fuse({"a": a, "b": b}, fusion)
    assert sorted(fused.rows.tolist()) == sorted({*a.rows.tolist(), *b.rows.tolist()})
    again = fuse({"b": b, "a": a}, fusion)
    assert np.array_equal(fused.rows, again.rows)
    assert np.array_equal(fused.scores, again.scores)


@given(a=ranked(), b=ranked())
def test_rrf_is_its_formula(a: RankedList, b: RankedList) -> None:
    fused = fuse({"a": a, "b": b}, Fusion("rrf", rrf_k=60.0, weights={"b": 2.0}))
    for row, score in zip(fused.rows.tolist(), fused.scores.tolist(), strict=True):
        expected = 0.0
        for leg, weight in ((a, 1.0), (b, 2.0)):
            if row in leg.rows:
                expected += weight / (60 + 1 + leg.rows.tolist().index(row))
        assert score == pytest.approx(expected, rel=1e-5)


@given(a=ranked())
def test_one_leg_alone_keeps_its_order_under_rrf(a: RankedList) -> None:
    assert np.array_equal(fuse({"a": a}, Fusion("rrf")).rows, a.rows)


@pytest.mark.parametrize("normaliser", ["min-max", "z-score"])
def test_equal_scores_say_nothing(normaliser: Normaliser) -> None:
    flat = RankedList(np.array([3, 4]), np.array([2.0, 2.0], np.float32))
    lone = RankedList(np.array([7]), np.array([0.1], np.float32))
    fused = fuse({"a": flat, "b": lone}, Fusion("weighted", normaliser=normaliser))
    assert fused.scores.tolist() == [0.0, 0.0, 0.0]
    assert fused.rows.tolist() == [3, 4, 7]


def test_a_weight_of_zero_silences_a_leg_but_keeps_its_candidates() -> None:
    a = RankedList(np.array([1, 2]), np.array([2.0, 1.0], np.float32))
    fused = fuse({"a": a, "b": EMPTY}, Fusion("rrf", weights={"a": 0.0}))
    assert fused.rows.tolist() == [1, 2]
    assert not fused.scores.any()


@given(a=ranked(), seed=st.integers(0, 999))
def test_demoting_moves_and_keeps(a: RankedList, seed: int) -> None:
    last = np.random.default_rng(seed).random(len(a)) < 0.5
    moved = demote(a, last)
    kept, gone = a.rows[~last].tolist(), a.rows[last].tolist()
    assert moved.rows.tolist() == kept + gone
    again = ordered(moved.rows, moved.scores)
    if not (last.any() and not last.all()):
        assert np.array_equal(moved.rows, a.rows)
    else:
        assert np.array_equal(again.rows, moved.rows)  # the scores alone give the same order back


def test_a_lone_hit_counts_where_the_floor_is_known() -> None:
    """A leg that found one document says much about it; only a leg that was cut there cannot know."""
    lone = RankedList(np.array([7]), np.array([3.0], np.float32))
    others = RankedList(np.array([1, 2]), np.array([2.0, 1.0], np.float32))
    fusion = Fusion("weighted", normaliser="z-score", floors={"alias": 0.0})
    legs = {"alias": lone, "dense": others}
    by_hand = {1: 2.0, 2: 0.0, 7: 2.0}  # one deviation of (3, 0) is 1.5; of (2, 1) it is 0.5
    fused = fuse(legs, fusion, full=10)
    assert dict(zip(fused.rows.tolist(), fused.scores.tolist(), strict=True)) == pytest.approx(by_hand)
    cut = fuse(legs, fusion, full=1)
    assert dict(zip(cut.rows.tolist(), cut.scores.tolist(), strict=True)) == pytest.approx(
        {1: 2.0, 2: 0.0, 7: 0.0}
    )
