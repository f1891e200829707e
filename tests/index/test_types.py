import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.types import ordered

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5]), max_size=30)


@given(SCORES, st.integers(0, 40))
def test_order_is_score_descending_then_row_ascending(scores: list[float], depth: int) -> None:
    rows = np.arange(len(scores))[::-1].copy()
    ranked = ordered(rows, np.array(scores, np.float32), depth)
    naive = sorted(zip(rows.tolist(), scores, strict=True), key=lambda pair: (-pair[1], pair[0]))[:depth]
    assert list(zip(ranked.rows.tolist(), ranked.scores.tolist(), strict=True)) == naive


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        ordered(np.array([0, 1]), np.array([1.0, bad], np.float32))
