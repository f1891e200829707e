from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.blend import Blend
from app.waves import promising, waves

scores = st.floats(-4, 4, width=32)


def blend(highest: float = 4.0) -> Blend:
    return Blend(first=1.0, logit=1.5, fits=(), highest_logit=highest, usual_logit=-1.0)


@given(
    st.lists(st.tuples(scores, scores), max_size=40),
    st.integers(1, 9),
    st.integers(1, 6),
)
def test_the_top_of_what_was_read_is_the_top_of_everything(
    pairs: list[tuple[float, float]], size: int, settled: int
) -> None:
    prior = np.array([p for p, _ in pairs], np.float32)
    logits = np.array([logit for _, logit in pairs], np.float32)
    read = dict[int, float]()
    for wave, found in waves(prior, blend(), size, settled, lambda at: logits[at]):
        assert 1 <= len(wave) <= size
        for at, logit in zip(wave.tolist(), found.tolist(), strict=True):
            assert at not in read
            read[at] = logit
    totals = blend().total(prior, logits)
    # Independent of waves: the best totals of everything are those of what was read.
    best = sorted(totals.tolist(), reverse=True)[:settled]
    assert sorted((float(totals[at]) for at in read), reverse=True)[:settled] == best


def test_reading_stops_when_nothing_can_change() -> None:
    prior = np.array([9.0, 8.0, 1.0, 0.5], np.float32)
    read: list[int] = []

    def logits(at: NDArray[np.int64]) -> NDArray[np.float32]:
        read.extend(at.tolist())
        return np.zeros(len(at), np.float32)

    assert [wave.tolist() for wave, _ in waves(prior, blend(), 1, 2, logits)] == [[0], [1]]
    assert read == [0, 1]
    assert len(list(waves(prior, blend(highest=10.0), 1, 2, logits))) == 4


def test_equal_priors_are_read_in_order() -> None:
    assert promising(np.array([1.0, 2.0, 1.0, 2.0], np.float32)).tolist() == [1, 3, 0, 2]


def test_a_logit_that_is_no_number_counts_as_the_usual_one() -> None:
    prior = np.array([1.0, 1.0, 1.0], np.float32)
    totals = blend().total(prior, np.array([0.0, np.nan, np.inf], np.float32))
    np.testing.assert_allclose(totals, [1.0, -0.5, -0.5])


@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=40), st.floats(0, 4), st.floats(0, 4))
def test_a_longer_reach_reads_no_less(pairs: list[tuple[float, float]], one: float, other: float) -> None:
    prior = np.array([p for p, _ in pairs], np.float32)
    logits = np.array([logit for _, logit in pairs], np.float32)

    def count(reach: float) -> int:
        held = replace(blend(), reach=reach)
        return sum(len(wave) for wave, _ in waves(prior, held, 3, 2, lambda at: logits[at]))

    short, long = sorted((one, other))
    assert count(short) <= count(long) <= count(math.inf)


def test_the_bound_goes_by_what_was_read() -> None:
    held = replace(blend(highest=4.0), reach=2.0)
    read = np.array([-3.0, -1.0], np.float32)  # mean -2, standard deviation 1
    assert held.most(read) == 0.0
    assert held.most(np.array([-3.0, np.nan, -1.0], np.float32)) == 0.0
    assert held.most(np.array([3.0, 1.0], np.float32)) == 4.0  # mean 2 + 2 · 1, and never above the highest
    assert held.most(np.array([np.nan], np.float32)) == 4.0  # nothing is known
    # The best read stands at 0 + 1.5 · -1; an unread one could come to -2 + 1.5 · 0.
    prior = np.array([0.0, 0.0, -2.0], np.float32)
    logits = np.array([-3.0, -1.0, 4.0], np.float32)
    assert [wave.tolist() for wave, _ in waves(prior, held, 2, 1, lambda at: logits[at])] == [[0, 1]]
