"""What it costs a search to be told its arms."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from app.call import SearchCall
from app.experiments.assignment import Assigner
from app.experiments.bucket import BUCKETS
from app.experiments.spec import Arm, Experiment
from app.experiments.version import Version
from index.types import Query

from .stopwatch import percentiles

_CALLS = 20_000
_AT = datetime(2026, 10, 1, tzinfo=UTC)


def bench_assignment(experiments: int) -> dict[str, Any]:
    """Microseconds of one assignment with so many experiments running, each in a layer of its own."""
    assigner = Assigner(
        Version(_experiment(number), 1, "running", _AT, None, None, 1) for number in range(experiments)
    )
    calls = [
        SearchCall(Query(query_id="q", text="grant", as_of=_AT), "r", unit_id=f"user-{number}")
        for number in range(_CALLS)
    ]
    took = []
    for call in calls:
        began = time.perf_counter_ns()
        assigner.treatment(call, _AT)
        took.append((time.perf_counter_ns() - began) / 1e3)
    return {"what": "assignment", "experiments": experiments, "calls": _CALLS, "us": percentiles(took)}


def _experiment(number: int) -> Experiment:
    arms = (Arm("control", 50.0), Arm("other", 50.0, None, {"depth": 100 + number}))
    return Experiment(f"e{number}", arms, f"layer-{number}", f"salt-{number}", slot=(0, BUCKETS))
