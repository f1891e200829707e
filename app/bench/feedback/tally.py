"""The whole tally: answers received against exposures stored, events acknowledged against events stored."""

from __future__ import annotations

import json
import platform
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from app.bench.live.service import Caller, Service
from app.bench.stopwatch import percentiles
from app.feedback.opening import FOLDER
from app.feedback.spool import closed_files
from app.settings import Settings
from app.store import open_store
from app.store.engine import reading
from app.store.tables import EVENTS, EXPOSURE_ARMS, EXPOSURES
from index.catalogue.shipped import programmes
from index.document import Document
from models.cpu import available_cpus

from .searchers import Diary, Searchers

Progress = Callable[[str, int, int], None]
_SEED = 20261002
_LONGEST_S = 60.0
_NAMED = 10
EXPERIMENT = {
    "arms": [
        {"name": "control", "weight": 50},
        {"name": "deep", "weight": 50, "overrides": {"depth": 300}},
    ]
}


@dataclass(frozen=True, slots=True)
class Load:
    """searchers: how many at once. kills: how often a service is killed. between_s: time between two kills."""

    searchers: int = 4
    kills: int = 10
    between_s: float = 3.0
    services: int = 2


@dataclass(slots=True)
class Loss:
    """What should be empty, and what may not be: exposures of answers that were on their way when a service died."""

    missing: list[str] = field(default_factory=list)
    altered: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    unreceived: int = 0


def bench_feedback(
    home: Path, load: Load, progress: Progress, documents: Sequence[Document] | None = None
) -> dict[str, Any]:
    """The tally as plain JSON values. `home` is an empty folder.

    documents: what questions are made from; the shipped catalogue if not given.
    """
    rng = random.Random(_SEED)
    patterns = list(documents if documents is not None else programmes())
    questions = [" ".join(one.title.split()[:4]) for one in rng.sample(patterns, min(300, len(patterns)))]
    # One address sends it all here, so what one address may send is out of the way.
    settings = {"feedback_per_minute": "10000000", "search_threads": "1"}
    services = [Service(home, settings) for _ in range(load.services)]
    try:
        for at, service in enumerate(services):
            progress("start", at, len(services))
            service.start()
        progress("start", len(services), len(services))
        _experiment(services[0])
        restarts = []
        with Searchers(
            [one.port for one in services], questions, load.searchers, rng.randrange(1 << 30)
        ) as some:
            for done in range(load.kills):
                time.sleep(load.between_s * rng.uniform(0.5, 1.5))
                victim = rng.choice(services)
                victim.kill()
                restarts.append(victim.start())
                progress("kills", done + 1, load.kills)
            time.sleep(load.between_s)
        waited_s = _drained(home)
    finally:
        for service in services:
            service.stop()
    return _report(load, some.diaries, _compared(home, some.diaries), restarts, waited_s)


def _experiment(service: Service) -> None:
    caller = Caller(service.port)
    reply = caller.call("PUT", "/v1/experiments/bench", EXPERIMENT)
    caller.close()
    if reply.status != 200:
        raise RuntimeError(f"the experiment was refused: {reply.body}")


def _drained(home: Path) -> float:
    """Seconds until nothing waits for the store any more, or until patience is over."""
    began, quiet = time.monotonic(), 0
    while quiet < 3 and time.monotonic() - began < _LONGEST_S:
        waiting = sum(file.stat().st_size for file in closed_files(home / FOLDER / "spool"))
        quiet = 0 if waiting else quiet + 1
        time.sleep(0.5)
    return time.monotonic() - began


def _compared(home: Path, diaries: Iterable[Diary]) -> Loss:
    """What the store does not hold as the searchers were told."""
    store = open_store(Settings(home=home))
    try:
        with reading(store.engine) as connection:
            hits = dict(connection.execute(select(EXPOSURES.c.query_id, EXPOSURES.c.hits)).tuples().all())
            arms: dict[str, list[tuple[str, int, str]]] = {}
            for query_id, *arm in connection.execute(
                select(*(EXPOSURE_ARMS.c[name] for name in ("query_id", "key", "version", "variant")))
            ):
                arms.setdefault(query_id, []).append((arm[0], arm[1], arm[2]))
            events = {row["event_id"]: row for row in connection.execute(select(EVENTS)).mappings()}
    finally:
        store.close()
    loss, received = Loss(), 0
    for diary in diaries:
        for query_id, told in diary.answers.items():
            received += 1
            if query_id not in hits:
                loss.missing.append(query_id)
            elif json.loads(hits[query_id]) != told["hits"] or sorted(arms.get(query_id, [])) != told["arms"]:
                loss.altered.append(query_id)
        for event_id, sent in diary.acknowledged.items():
            stored = events.get(event_id)
            if stored is None or any(stored[name] != value for name, value in sent.items()):
                loss.events.append(event_id)
    loss.unreceived = len(hits) - (received - len(loss.missing))
    return loss


def _report(
    load: Load, diaries: Sequence[Diary], loss: Loss, restarts: Sequence[float], waited_s: float
) -> dict[str, Any]:
    durations = [one for diary in diaries for one in diary.durations_ms]
    unanswered = sum(diary.unanswered for diary in diaries)
    refused: dict[str, int] = {}
    for diary in diaries:
        for status, count in diary.refused.items():
            refused[str(status)] = refused.get(str(status), 0) + count
    return {
        "what": "feedback",
        "machine": {"cores": available_cpus(), "python": platform.python_version()},
        "services": load.services,
        "kills": load.kills,
        "answers": sum(len(diary.answers) for diary in diaries),
        "in_an_arm": sum(bool(told["arms"]) for diary in diaries for told in diary.answers.values()),
        "exposures_missing": len(loss.missing),
        "exposures_altered": len(loss.altered),
        "exposures_of_answers_not_received": loss.unreceived,
        "searches_without_an_answer": unanswered,
        "acknowledged": sum(len(diary.acknowledged) for diary in diaries),
        "acknowledged_missing": len(loss.events),
        "refused": refused,
        "examples": (loss.missing + loss.altered + loss.events)[:_NAMED],
        "latency_ms": percentiles(durations) if durations else None,
        "restart_s": percentiles(list(restarts)) if restarts else None,
        "drained_after_s": round(waited_s, 1),
        "met": {
            "every_answer_is_logged_as_it_was": not loss.missing and not loss.altered and bool(durations),
            "nothing_else_is_logged": loss.unreceived <= unanswered,
            "nothing_acknowledged_missing": not loss.events,
        },
    }
