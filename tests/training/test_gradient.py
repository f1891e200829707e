"""The monitor's figures against pandas-free formulas written out, and its stream against a reader."""

from __future__ import annotations

import json
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.gradient import GradientMonitor

NORMS = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=30)


@given(norms=NORMS, window=st.integers(2, 8), decay=st.floats(0, 0.99))
def test_the_figures_are_the_weighted_mean_and_its_spread(
    norms: list[tuple[float, float, float]], window: int, decay: float
) -> None:
    monitor = GradientMonitor(window, decay)
    raw: list[float] = []
    smooth: list[float] = []
    for step, (lora, gate, head) in enumerate(norms):
        reading = monitor.observe(step, {"lora": lora, "gate": gate, "head": head})
        raw.append(math.hypot(lora, gate))
        weights = [decay ** (step - at) for at in range(step + 1)]
        smooth.append(sum(w * x for w, x in zip(weights, raw, strict=True)) / sum(weights))
        assert reading.raw_norm == pytest.approx(raw[-1])
        assert reading.grad_norm == pytest.approx(smooth[-1], rel=1e-6, abs=1e-9)
        if step + 1 < window:
            assert reading.grad_norm_std is None
            assert reading.raw_norm_std is None
        else:
            assert reading.raw_norm_std == pytest.approx(statistics.stdev(raw[-window:]), abs=1e-6)
            assert reading.grad_norm_std == pytest.approx(statistics.stdev(smooth[-window:]), abs=1e-5)


@given(norms=NORMS, cut=st.integers(0, 29))
def test_a_restored_monitor_goes_on_as_the_first(norms: list[tuple[float, float, float]], cut: int) -> None:
    whole, before = GradientMonitor(4, 0.9), GradientMonitor(4, 0.9)
    after = GradientMonitor(4, 0.9)
    named = [dict(zip(("lora", "gate", "head"), each, strict=True)) for each in norms]
    expected = [whole.observe(step, each).line() for step, each in enumerate(named)]
    found = [before.observe(step, each).line() for step, each in enumerate(named[:cut])]
    after.restore(json.loads(json.dumps(before.state())))
    found += [after.observe(step, each).line() for step, each in enumerate(named[cut:], start=len(found))]
    assert found == expected


def test_a_run_that_settles_is_told_from_one_that_does_not() -> None:
    calm, wild = GradientMonitor(20, 0.9), GradientMonitor(20, 0.9)
    for step in range(200):
        settled = calm.observe(step, {"lora": 0.2 + 0.01 * (-1) ** step})
        moving = wild.observe(step, {"lora": 0.2 + 0.5 * math.sin(step / 10)})
    assert settled.grad_norm_std is not None
    assert moving.grad_norm_std is not None
    assert settled.grad_norm_std < 0.03 < moving.grad_norm_std


def test_a_line_of_the_stream_says_everything() -> None:
    line = GradientMonitor(2, 0.5).observe(3, {"lora": 3.0, "gate": 4.0, "head": 12.0}).line()
    assert line.endswith("\n")
    assert json.loads(line) == {
        "step": 3,
        "norms": {"lora": 3.0, "gate": 4.0, "head": 12.0},
        "grad_norm": 5.0,
        "grad_norm_std": None,
        "raw_norm": 5.0,
        "raw_norm_std": None,
    }
