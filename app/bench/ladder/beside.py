"""Whether anybody waits for the gradient probe: the same crowd with and without it, turn and turn about."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.precision.probe import Probe
from models.shipped import CHECKPOINT
from models.traffic import quantile

from .crowd import Crowd, Served


def beside_the_probe(
    port: int, examples: Path, scratch: Path, questions: Sequence[str], qps: float, seconds: float, turns: int
) -> dict[str, Any]:
    """Latencies of searches alone and while a probe is at work, in so many turns of each.

    examples: the service's own probe file. qps: of the crowd. seconds: of one turn, shorter than a probe takes.
    """
    found: dict[str, list[Served]] = {"alone": [], "beside": []}
    rng = np.random.default_rng(11)
    for turn in range(2 * turns):
        name = "beside" if turn % 2 else "alone"
        probe = _begun(scratch / str(turn), examples) if turn % 2 else None
        offsets = np.sort(rng.uniform(0.0, seconds, rng.poisson(qps * seconds))).tolist()
        with Crowd(port, questions) as crowd:
            crowd.send(offsets)
        found[name] += crowd.served
        if probe is not None:
            probe.close()
    told = {name: _latencies(served) for name, served in found.items()}
    return told | {"p50_ratio": told["beside"]["p50"] / told["alone"]["p50"]}


def _begun(folder: Path, examples: Path) -> Probe:
    """A probe in a folder of its own, where nothing is known yet, at work."""
    folder.mkdir(parents=True)
    shutil.copy(examples, folder / examples.name)
    probe = Probe(folder, CHECKPOINT)
    probe.tend()
    return probe


def _latencies(served: Sequence[Served]) -> dict[str, Any]:
    latencies = [one.latency_ms for one in served if one.status == 200]
    return {
        "searches": len(latencies),
        "p50": quantile(latencies, 0.5),
        "p99": quantile(latencies, 0.99),
        "failed": sum(one.failed for one in served),
    }
