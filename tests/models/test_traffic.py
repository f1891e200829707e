"""The traffic window against the same figures worked out from every search at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.traffic import Traffic, quantile

searches = st.lists(
    st.tuples(st.floats(0, 3), st.floats(0, 500), st.floats(0, 300), st.booleans()), max_size=120
)


@given(st.floats(0, 1e6), searches, st.floats(0, 20), st.integers(2, 40), st.integers(1, 10))
def test_it_says_what_numpy_says_of_the_whole_seconds(began, log, idle, window_s, recent_s) -> None:
    recent_s = min(recent_s, window_s)
    traffic = Traffic(began, window_s, recent_s)
    at, seen = began, []
    for passed, latency, delay, missed in log:
        at += passed
        traffic.seen(at, latency, delay, missed)
        seen.append((math.floor(at), latency, delay, missed))
    now = at + idle
    reading = traffic.reading(now)
    end = math.floor(now)
    counts = [sum(s == second for s, *_ in seen) for second in range(end - window_s, end)]
    recent = [one for one in seen if end - recent_s <= one[0] < end]
    if end - began >= window_s:
        assert reading.qps == pytest.approx(np.mean(counts))
        assert reading.qps_std == pytest.approx(np.std(counts, ddof=1))
    else:
        assert reading.qps is None
        assert reading.qps_std is None
    assert reading.budget_misses == pytest.approx(np.mean([one[3] for one in recent]) if recent else 0.0)
    delays = [one[2] for one in recent]
    expected = float(np.quantile(delays, 0.9, method="inverted_cdf")) if delays else 0.0
    assert reading.queue_delay_ms == pytest.approx(expected)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=50), st.sampled_from([0.01, 0.5, 0.9, 0.99]))
def test_a_quantile_is_numpys(values, share) -> None:
    assert quantile(values, share) == np.quantile(values, share, method="inverted_cdf")


def test_nobody_has_no_latency() -> None:
    assert Traffic(0.0).reading(100.0).latency_p99_ms is None
    assert quantile([], 0.5) is None


def test_a_burst_shows_in_the_deviation_and_not_only_in_the_mean() -> None:
    even, bursty = Traffic(0.0), Traffic(0.0)
    for second in range(60):
        for _ in range(10):
            even.seen(second + 0.5, 1.0, 0.0, False)
    for second in range(0, 60, 10):
        for _ in range(100):
            bursty.seen(second + 0.5, 1.0, 0.0, False)
    calm, wild = even.reading(60.0), bursty.reading(60.0)
    assert calm.qps == wild.qps == 10.0
    assert calm.qps_std == 0.0
    assert wild.qps_std > 12.5
