"""The whole tally: a made-up day at speed under a policy, then pins, then what the searches beside them say."""

from __future__ import annotations

import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.bench.live.service import Caller, Service
from app.precision.day import DAY_S, Bursts, rates
from app.precision.record import FOLDER, replay
from app.precision.replaying import Replayed, replayed
from models.cpu import available_cpus

from .beside import beside_the_probe, settled
from .crowd import Crowd, Served, capacity
from .judgement import judged

Progress = Callable[[str, int, int], None]

_PATIENCE_S = 600.0
_CALIBRATION_S = 12.0
_RULES = {
    "precision_policy": "pressure",
    "precision_down_s": "1",
    "precision_up_s": "3",
    "precision_dwell_s": "4",
    "precision_queue_ms": "60",
    "precision_calm_ms": "15",
    "canary_minutes": "none",
}


@dataclass(frozen=True, slots=True)
class Work:
    """How much is done.

    switches: at least so many. every_s: between two pins. day_s: how long the day takes. peak, load: traffic of the
    busiest hour and beside the pins, as shares of what the reference can serve. shadow: the share that is compared.
    turn_s, turns: of the searches alone and beside the gradient probe.
    """

    switches: int = 50
    every_s: float = 4.0
    day_s: float = 240.0
    peak: float = 1.2
    load: float = 0.5
    shadow: float = 0.05
    turn_s: float = 20.0
    turns: int = 3
    seed: int = 5


def bench_ladder(
    home: Path, work: Work, questions: Sequence[str], progress: Progress
) -> tuple[dict[str, Any], Replayed]:
    """The tally as plain JSON values, and the service's own record of it. `home` is an empty folder."""
    service = Service(home, _RULES | {"precision_shadow": str(work.shadow)})
    progress("start", 0, 1)
    service.start()
    try:
        caller = Caller(service.port)
        rungs = _tested(caller)
        settled(home / FOLDER)
        caller.call("PUT", "/v1/precision", {"pin": rungs[0]})
        qps = capacity(service.port, questions, available_cpus(), _CALIBRATION_S)
        beside = beside_the_probe(
            service.port, home / FOLDER, questions, work.load * qps, work.turn_s, work.turns
        )
        with Crowd(service.port, questions) as crowd:
            caller.call("PUT", "/v1/precision", {"mode": "auto"})
            crowd.send(_day(work, qps))
            moved = int(caller.call("GET", "/v1/precision").body["switches"])
            _pinned(caller, crowd, work, rungs, max(work.switches - moved, 0), qps, progress)
        told = caller.call("PUT", "/v1/precision", {"mode": "auto"}).body
        caller.close()
    finally:
        service.stop()
    with (home / FOLDER / "signals.jsonl").open(encoding="utf-8") as file:
        record = replayed(replay(file))
    return _told(work, crowd.served, record, told, qps) | {"probe": beside}, record


def _tested(caller: Caller) -> list[str]:
    """The rungs on the ladder, once the service has tried them."""
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        shown = caller.call("GET", "/v1/precision").body["rungs"]
        if all(one["reason"] != "untested" for one in shown):
            return [one["rung"] for one in shown if one["on_ladder"]]
        time.sleep(1.0)
    raise TimeoutError("the service did not try its rungs in time")


def _day(work: Work, qps: float) -> list[float]:
    """Seconds from the start at which the searches of a whole day come, the day played in `day_s`."""
    rng = np.random.default_rng(work.seed)
    speed = DAY_S / work.day_s
    # As many searches a played second as a real one of that hour would see: the shape is kept, not the total. A burst
    # is as long as to be felt.
    expected_qps = rates(work.peak * qps, rng, Bursts(8.0, 2.5, longest_s=20.0 * speed))
    played = expected_qps[: int(speed) * int(work.day_s)].reshape(-1, int(speed)).mean(axis=1)
    offsets: list[float] = []
    for second, expected in enumerate(played.tolist()):
        offsets += (second + rng.random(rng.poisson(expected))).tolist()
    return sorted(offsets)


def _pinned(
    caller: Caller,
    crowd: Crowd,
    work: Work,
    rungs: Sequence[str],
    switches: int,
    qps: float,
    progress: Progress,
) -> None:
    """Nothing; the rungs are pinned one after the other, down and up again, while an even crowd searches."""
    if len(rungs) < 2 or not switches:
        return
    rng = np.random.default_rng(work.seed + 1)
    seconds = switches * work.every_s
    offsets = np.sort(rng.uniform(0.0, seconds, rng.poisson(work.load * qps * seconds))).tolist()
    sending = threading.Thread(target=crowd.send, args=(offsets,))
    sending.start()
    way = [*rungs[1:], *rungs[-2::-1]]
    for at in range(switches):
        progress("switches", at, switches)
        time.sleep(work.every_s)
        caller.call("PUT", "/v1/precision", {"pin": way[at % len(way)]})
    sending.join()


def _told(
    work: Work, served: Sequence[Served], record: Replayed, shown: Mapping[str, Any], qps: float
) -> dict[str, Any]:
    # The service's monotonic clock and ours are one and the same on this machine: both count from its start.
    offset = time.monotonic() - time.perf_counter()
    found = judged(served, [move.t - offset for move in record.moves], work.every_s)
    agreement = {
        rung: float(np.nanmin(values)) if not np.isnan(values).all() else None
        for rung, values in record.agreement.items()
    }
    guard = sum(move.reason == "quality" for move in record.moves)
    worst = min((value for value in agreement.values() if value is not None), default=None)
    ratio = found["p99_ratio"]
    return {
        "machine": {"processor": platform.processor() or platform.machine(), "cores": available_cpus()},
        "reference_qps": round(qps, 2),
        "searches": len(served),
        "statuses": dict(Counter(str(one.status) for one in served)),
        "degraded": sum(bool(one.degraded) for one in served),
        "served_on": dict(Counter(one.rung or "not reranked" for one in served if one.status == 200)),
        **record.summary(),
        **found,
        "lowest_agreement": agreement,
        "rungs": shown["rungs"],
        "met": {
            "switches": len(record.moves) >= work.switches,
            "nothing_failed": found["failed"] == 0,
            "p99_in_the_switch_second": ratio is not None and ratio <= 1.5,
            "agreement_or_guard": worst is None or worst >= record.rules.agreement or guard > 0,
            "record_replays": record.told[0] == record.told[1],
        },
    }
