"""The whole tally: writes until they are found, searches beside them, and kills."""

from __future__ import annotations

import platform
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.bench.stopwatch import percentiles
from app.turns import take_short_turns
from index.catalogue.shipped import programmes
from index.document import Document
from models.cpu import available_cpus

from .drafts import Drafts
from .kills import Casualties, kill_and_look
from .service import Caller, Service
from .visitors import Visitors
from .writes import Followed, write_and_follow

Progress = Callable[[str, int, int], None]

_SEED = 20261001
_WRITERS = 2
_WORDS = (2, 6)
_WARM_UP_S = 5.0
GOAL_MS, GOAL_RATIO = 1000.0, 2.0


@dataclass(frozen=True, slots=True)
class Load:
    """How much is done. idle_s: how long the clients search alone, half of it before the writes and half after."""

    writes: int = 2_000
    kills: int = 20
    clients: int = 4
    pause_ms: float = 100.0
    idle_s: float = 60.0


def bench_live(
    home: Path,
    load: Load,
    settings: dict[str, str],
    progress: Progress,
    documents: Sequence[Document] | None = None,
) -> dict[str, Any]:
    """The tally as plain JSON values. `home` is an empty folder; `settings` are the service's, by name.

    documents: what records and questions are made from; the shipped catalogue if not given.
    """
    take_short_turns()  # the clients are threads of this process: they must not wait for one another
    patterns = list(documents if documents is not None else programmes())
    rng = random.Random(_SEED)
    questions = _questions(patterns, 500, rng)
    service = Service(home, settings)
    progress("start", 0, 1)
    service.start()
    progress("start", 1, 1)
    try:
        searches, followed = _busy(service, patterns, questions, load, rng, progress)
        supplies = [Drafts(patterns, rng, f"killed-{at}") for at in range(_WRITERS)]
        casualties = Casualties()
        if load.kills:
            told = lambda done: progress("kills", done, load.kills)  # noqa: E731
            casualties = kill_and_look(service, supplies, load.kills, rng, told)
    finally:
        service.stop()
    return _report(load, searches, followed, casualties)


def _busy(
    service: Service,
    patterns: Sequence[Document],
    questions: Sequence[str],
    load: Load,
    rng: random.Random,
    progress: Progress,
) -> tuple[dict[str, list[Visitors]], Followed]:
    """The searches alone and beside the writes, and what became of the writes."""

    def visitors() -> Visitors:
        return Visitors(service.port, questions, load.clients, load.pause_ms, rng.randrange(1 << 30))

    def alone(seconds: float, step: str) -> Visitors:
        with visitors() as some:
            ends = time.monotonic() + seconds
            while (left := ends - time.monotonic()) > 0:
                progress(step, int((seconds - left) * 10), int(seconds * 10))
                time.sleep(min(0.2, left))
        progress(step, int(seconds * 10), int(seconds * 10))
        return some

    alone(min(_WARM_UP_S, load.idle_s), "warm up")
    before = alone(load.idle_s / 2, "searches alone, before")
    with visitors() as beside:
        followed = write_and_follow(
            service.port,
            Drafts(patterns, rng, "followed"),
            load.writes,
            rng,
            lambda done: progress("writes beside searches", done, load.writes),
        )
    _settle(service)
    after = alone(load.idle_s / 2, "searches alone, after")
    return {"idle": [before, after], "busy": [beside]}, followed


def _settle(service: Service) -> None:
    """Nothing; returns when every record has its vectors."""
    caller = Caller(service.port)
    while caller.call("GET", "/readyz").body["pending_vectors"]:
        time.sleep(0.2)
    caller.close()


def _questions(patterns: Sequence[Document], count: int, rng: random.Random) -> list[str]:
    """The first two to six words of as many titles: the way names are typed."""
    chosen = rng.sample(list(patterns), min(count, len(patterns)))
    return [" ".join(one.title.split()[: rng.randint(*_WORDS)]) for one in chosen]


def _report(
    load: Load, searches: dict[str, list[Visitors]], followed: Followed, casualties: Casualties
) -> dict[str, Any]:
    idle, busy = (_latencies(searches[name]) for name in ("idle", "busy"))
    everybody = [one for some in searches.values() for one in some]
    failures = [failure for one in everybody for failure in one.failures]
    searchable = percentiles(followed.searchable_ms) if followed.searchable_ms else None
    ratio = round(busy["p99"] / idle["p99"], 3) if idle and busy else None
    lost = len(casualties.missing) + len(casualties.half) + len(casualties.unsearchable)
    unmet = len(followed.never) + len(followed.refused)
    verdicts = {
        "searchable_p99_within_1_s": bool(searchable and searchable["p99"] <= GOAL_MS and not unmet),
        "no_failed_search": not failures,
        "search_p99_within_twice_idle": ratio is not None and ratio <= GOAL_RATIO,
        "nothing_acknowledged_missing": lost == 0,
    }
    return {
        "what": "live",
        "machine": {"cores": available_cpus(), "python": platform.python_version()},
        "clients": load.clients,
        "pause_ms": load.pause_ms,
        "writes": {
            "sent": load.writes,
            "kinds": followed.kinds,
            "refused": len(followed.refused),
            "never_searchable": followed.never,
            "acknowledged_ms": percentiles(followed.acknowledged_ms) if followed.acknowledged_ms else None,
            "searchable_ms": searchable,
            "with_vectors_ms": percentiles(followed.encoded_ms) if followed.encoded_ms else None,
        },
        "searches": {
            "idle": {"count": sum(len(one.durations_ms) for one in searches["idle"]), "latency_ms": idle},
            "during_writes": {
                "count": sum(len(one.durations_ms) for one in searches["busy"]),
                "latency_ms": busy,
            },
            "p99_ratio": ratio,
            "failed": len(failures),
            "failures": failures[:10],
            "degraded": sum(one.degraded for one in everybody),
        },
        "kills": {
            "kills": casualties.kills,
            "acknowledged": casualties.acknowledged,
            "under_way": casualties.under_way,
            "under_way_and_survived": casualties.survived,
            "acknowledged_missing": casualties.missing,
            "half_visible": casualties.half,
            "not_searchable": casualties.unsearchable,
            "restart_s": percentiles(casualties.restart_s) if casualties.restart_s else None,
        },
        "met": verdicts,
    }


def _latencies(visitors: Sequence[Visitors]) -> dict[str, float] | None:
    durations = [duration for one in visitors for duration in one.durations_ms]
    return percentiles(durations) if durations else None
