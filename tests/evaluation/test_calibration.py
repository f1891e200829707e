from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from evaluation.calibration import calibrate


@given(st.integers(0, 2**32 - 1), st.floats(0.2, 3.0), st.floats(-2.0, 2.0))
def test_it_is_a_logistic_regression(seed: int, scale: float, offset: float) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=400)
    useful = (rng.uniform(size=400) < 1 / (1 + np.exp(-(scale * scores + offset)))).astype(float)
    if useful.min() == useful.max():
        return
    outside = LogisticRegression(C=np.inf, tol=1e-9).fit(scores[:, None], useful)
    if outside.coef_[0, 0] <= 0:
        return  # the order of scores is kept, whatever chance made of it
    found = calibrate(scores, useful)
    assert found.scale == pytest.approx(outside.coef_[0, 0], rel=0.02, abs=0.02)
    assert found.offset == pytest.approx(outside.intercept_[0], rel=0.02, abs=0.02)


def test_the_order_of_scores_stays() -> None:
    scores = np.array([0.0, 1.0, 2.0, 3.0])
    assert calibrate(scores, np.array([1.0, 1.0, 0.0, 0.0])).scale > 0
