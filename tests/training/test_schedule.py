from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.schedule import rate_factor


@given(steps=st.integers(3, 500), warmup=st.floats(0, 0.9), floor=st.floats(0, 1))
def test_it_rises_then_falls_to_the_floor(steps: int, warmup: float, floor: float) -> None:
    factors = [rate_factor(step, steps, warmup, floor) for step in range(steps)]
    top = round(steps * warmup)
    assert all(0 <= factor <= 1 for factor in factors)
    assert factors[: top + 1] == sorted(factors[: top + 1])
    assert factors[top:] == sorted(factors[top:], reverse=True)
    if top < steps - 1:
        assert factors[top] == pytest.approx(1.0)
        assert factors[-1] == pytest.approx(floor, abs=1e-12)


def test_the_middle_of_the_cosine_is_halfway() -> None:
    assert rate_factor(55, 101, 0.1, 0.2) == pytest.approx(0.2 + 0.8 * (1 + math.cos(math.pi * 0.5)) / 2)


def test_the_first_steps_are_small() -> None:
    assert [rate_factor(step, 100, 0.03, 0) for step in range(3)] == pytest.approx([0.25, 0.5, 0.75])
