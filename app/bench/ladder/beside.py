"""Whether anybody waits for the gradient probe: the same crowd with and without it, turn and turn about."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.precision.probe import SHIPPED, STREAM
from models.traffic import quantile

from .crowd import Crowd, Served

_PATIENCE_S = 600.0


def beside_the_probe(
    port: int, folder: Path, questions: Sequence[str], qps: float, seconds: float, turns: int
) -> dict[str, Any]:
    """Latencies of searches alone and while the service has a gradient to work out, in so many turns of each.

    folder: the ladder's, in the home of the service. qps: of the crowd. seconds: of one turn.
    """
    found: dict[str, list[Served]] = {"alone": [], "beside": []}
    rng = np.random.default_rng(11)
    for turn in range(2 * turns):
        if turn % 2:
            _ask_anew(folder)
        else:
            settled(folder)
        offsets = np.sort(rng.uniform(0.0, seconds, rng.poisson(qps * seconds))).tolist()
        with Crowd(port, questions) as crowd:
            crowd.send(offsets)
        found["beside" if turn % 2 else "alone"] += crowd.served
    settled(folder)
    told = {name: _latencies(served) for name, served in found.items()}
    alone, beside = told["alone"]["p50"], told["beside"]["p50"]
    return told | {"p50_ratio": beside / alone if alone and beside else None}


def settled(folder: Path) -> None:
    """Nothing; the service knows its gradient and its probe is gone. Raises TimeoutError."""
    until = time.monotonic() + _PATIENCE_S
    stream = folder / STREAM
    while not (stream.exists() and stream.stat().st_size):
        if time.monotonic() > until:
            raise TimeoutError("the gradient was not worked out in time")
        time.sleep(0.5)


def _ask_anew(folder: Path) -> None:
    """Nothing; what the probe found is gone, and its lists look new: the service starts it within a second."""
    (folder / STREAM).unlink()
    os.utime(folder / SHIPPED)


def _latencies(served: Sequence[Served]) -> dict[str, Any]:
    latencies = [one.latency_ms for one in served if one.status == 200]
    return {
        "searches": len(latencies),
        "p50": quantile(latencies, 0.5),
        "p99": quantile(latencies, 0.99),
        "failed": sum(one.failed for one in served),
    }
