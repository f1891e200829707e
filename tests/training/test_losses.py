"""The losses against plain loops over single lists, and their gradients against finite differences."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from training.losses import distillation, has_order, has_teacher, listwise, margin

LOGITS = st.floats(-8, 8, width=32)
GRADES = st.sampled_from([0.0, 1.0, 2.0, 3.0])
LISTS = st.lists(st.lists(st.tuples(LOGITS, GRADES, LOGITS), min_size=1, max_size=6), min_size=1, max_size=5)


def padded(lists: list[list[tuple[float, float, float]]]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Logits, grades, teacher, mask; what is padding holds values that would show if they were looked at."""
    width = max(map(len, lists))
    shape = (len(lists), width)
    logits, grades = torch.full(shape, 7.5), torch.full(shape, 3.0)
    teacher, mask = torch.full(shape, -3.5), torch.zeros(shape, dtype=torch.bool)
    for row, candidates in enumerate(lists):
        for column, (logit, grade, taught) in enumerate(candidates):
            logits[row, column], grades[row, column], teacher[row, column] = logit, grade, taught
            mask[row, column] = True
    return logits, grades, teacher, mask


def softmax(values: list[float]) -> list[float]:
    top = max(values)
    weights = [math.exp(value - top) for value in values]
    return [weight / math.fsum(weights) for weight in weights]


@pytest.mark.parametrize("gains", ["linear", "exponential"])
@given(lists=LISTS)
def test_listwise_is_the_divergence_from_the_shares_of_gain(gains: str, lists: list) -> None:
    logits, grades, _, mask = padded(lists)
    found = listwise(logits, grades, mask, gains)  # type: ignore[arg-type]
    for row, candidates in enumerate(lists):
        gain = [grade if gains == "linear" else 2**grade - 1 for _, grade, _ in candidates]
        if len({grade for _, grade, _ in candidates}) < 2:
            assert found[row] == 0
            continue
        share = [each / sum(gain) for each in gain]
        said = softmax([logit for logit, _, _ in candidates])
        expected = math.fsum(p * math.log(p / q) for p, q in zip(share, said, strict=True) if p > 0)
        assert float(found[row]) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@given(lists=LISTS, step=st.floats(0, 2))
def test_margin_is_the_mean_shortfall_of_the_ordered_pairs(lists: list, step: float) -> None:
    logits, grades, _, mask = padded(lists)
    found = margin(logits, grades, mask, step)
    for row, candidates in enumerate(lists):
        short = [
            max(0.0, step * (better - worse) - (high - low))
            for high, better, _ in candidates
            for low, worse, _ in candidates
            if better > worse
        ]
        expected = math.fsum(short) / len(short) if short else 0.0
        assert float(found[row]) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@given(lists=LISTS, temperature=st.floats(0.25, 4))
def test_distillation_is_the_tempered_divergence_from_the_teacher(lists: list, temperature: float) -> None:
    logits, _, teacher, mask = padded(lists)
    found = distillation(logits, teacher, mask, temperature)
    for row, candidates in enumerate(lists):
        theirs = softmax([taught / temperature for _, _, taught in candidates])
        ours = softmax([logit / temperature for logit, _, _ in candidates])
        parts = (p * math.log(p / q) for p, q in zip(theirs, ours, strict=True) if p > 0)
        expected = temperature**2 * math.fsum(parts) if len(candidates) > 1 else 0.0
        assert float(found[row]) == pytest.approx(expected, rel=1e-3, abs=1e-4)


def test_candidates_the_teacher_never_saw_are_left_out() -> None:
    logits, _, teacher, mask = padded([[(1.0, 0, 2.0), (0.0, 0, 1.0), (5.0, 0, 0.0)]])
    teacher[0, 2] = float("nan")
    alone, _, taught, seen = padded([[(1.0, 0, 2.0), (0.0, 0, 1.0)]])
    assert distillation(logits, teacher, mask, 1.0) == distillation(alone, taught, seen, 1.0)
    teacher[0, 1] = float("nan")
    assert not has_teacher(teacher, mask).any()
    assert distillation(logits, teacher, mask, 1.0) == 0


def test_an_order_needs_two_grades_among_the_real_candidates() -> None:
    _, grades, _, mask = padded([[(0, 1, 0), (0, 1, 0), (0, 2, 0)], [(0, 1, 0), (0, 1, 0)], [(0, 3, 0)]])
    assert has_order(grades, mask).tolist() == [True, False, False]


@pytest.mark.parametrize("loss", ["listwise", "margin", "distillation"])
def test_the_gradient_is_the_slope_and_padding_has_none(loss: str) -> None:
    lists = [[(0.3, 3, 1), (-0.2, 0, 0.1), (0.1, 1, -1)], [(0.4, 2, 0), (0.25, 1, 2)]]
    logits, grades, teacher, mask = padded(lists)
    logits = logits.requires_grad_()

    def cost(at: Tensor) -> Tensor:
        known = {
            "listwise": lambda: listwise(at, grades, mask, "exponential"),
            "margin": lambda: margin(at, grades, mask, 0.7),
            "distillation": lambda: distillation(at, teacher, mask, 2.0),
        }
        return known[loss]().sum()

    cost(logits).backward()
    slope = logits.grad
    assert slope is not None
    assert torch.isfinite(slope).all()
    assert (slope[~mask] == 0).all()
    width = 2e-2
    for row, column in mask.nonzero().tolist():
        moved = torch.zeros_like(logits)
        moved[row, column] = width
        rise = (cost(logits.detach() + moved) - cost(logits.detach() - moved)) / (2 * width)
        assert float(slope[row, column]) == pytest.approx(float(rise), abs=2e-3)
