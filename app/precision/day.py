"""A day of searches that never was: arrivals a second, after a real day's shape, with bursts; seeded.

The shape is that of 40,000 impressions of a large shop, by hour of the local day (Open Bandit Dataset, Saito et al.
2021, 24 to 30 November 2019): a trough before dawn, a small rise at noon, a peak in the evening.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DAY_S = 86_400
_HOURS: tuple[int, ...] = (67, 29, 18, 10, 7, 10, 17, 27, 32, 37, 39, 41)
_HOURS += (52, 43, 41, 39, 40, 43, 47, 52, 68, 81, 83, 77)

Counts = NDArray[np.int64]
Rates = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bursts:
    """a_day: how many are expected. times: by how much one multiplies the traffic at most. longest_s: its length."""

    a_day: float = 12.0
    times: float = 3.0
    longest_s: float = 600.0


def arrivals(peak_qps: float, seed: int, bursts: Bursts = Bursts()) -> Counts:
    """(86,400,): searches that come in each second of the day. peak_qps: the mean of the busiest hour, bursts aside."""
    rng = np.random.default_rng(seed)
    return rng.poisson(rates(peak_qps, rng, bursts)).astype(np.int64)


def rates(peak_qps: float, rng: np.random.Generator, bursts: Bursts) -> Rates:
    """(86,400,): searches a second that are expected."""
    seconds = np.arange(DAY_S)
    middles = (np.arange(24) + 0.5) * 3600
    shares = np.array(_HOURS, np.float64) / max(_HOURS)
    expected: Rates = peak_qps * np.interp(seconds, middles, shares, period=DAY_S)
    for _ in range(rng.poisson(bursts.a_day)):
        start, length = rng.integers(DAY_S), rng.uniform(0.1, 1.0) * bursts.longest_s
        height = rng.uniform(0.5, 1.0) * (bursts.times - 1.0)
        # Up at once, as when a link is passed on, and down again ever more slowly.
        since = (seconds - start).astype(np.float64)
        expected *= 1.0 + np.where(since >= 0, height * np.exp(-np.maximum(since, 0.0) / (length / 3.0)), 0.0)
    return expected
