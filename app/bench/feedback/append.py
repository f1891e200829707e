"""What it costs a search to be logged, and a batch of events to reach the disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.bench.stopwatch import percentiles
from app.feedback.desk import Desk
from app.feedback.event import Event
from app.feedback.exposure import Exposure
from app.feedback.pseudonym import Pseudonyms
from app.feedback.spool import Spool

GOAL_US = 50.0
_HITS = 10
_SYNCED_SHARE = 20
_LIMIT_BYTES = 1 << 40


def bench_append(home: Path, count: int) -> dict[str, Any]:
    """Microseconds of `count` exposures of ten hits, hashes of the asker's ids included, and of synced events.

    `home` is an empty folder on the disk that matters.
    """
    desk = Desk(Spool(home / "spool", _LIMIT_BYTES), lambda: None, lambda why: None)
    pseudonyms = Pseudonyms(lambda: b"bench")
    logged = _timed(count, lambda number: desk.expose(_exposure(number, pseudonyms)))
    synced = _timed(max(count // _SYNCED_SHARE, 1), lambda number: desk.receive([_event(number)], 0.0))
    told = {"answer_logged": percentiles(logged), "event_on_the_disk": percentiles(synced)}
    met = {"an_answer_is_logged_within_50_us": told["answer_logged"]["p50"] <= GOAL_US}
    return {"what": "append", "entries": count, "us": told, "met": met}


def _timed(count: int, work: Callable[[int], object]) -> list[float]:
    took = []
    for number in range(count):
        began = time.perf_counter_ns()
        work(number)
        took.append((time.perf_counter_ns() - began) / 1e3)
    return took


def _exposure(number: int, pseudonyms: Pseudonyms) -> Exposure:
    unit = pseudonyms.of(f"user-{number}")
    return Exposure(
        query_id=f"{number:032x}",
        at_s=1.7e9 + number,
        unit=unit,
        session=pseudonyms.of(f"visit-{number}"),
        consent=True,
        text="phd funding in marine biology for applicants from Chile",
        filters={"levels": ["phd"], "availability": ["open"]},
        query_hash=pseudonyms.of("phd funding in marine biology") or "",
        lang="en",
        system="hybrid",
        fingerprint="0123456789abcdef",
        precision=None,
        offset=0,
        hits=tuple((f"programme-of-some-length-{at}", at, None, None) for at in range(1, _HITS + 1)),
        total=1234,
        total_ms=23.456,
        degraded=(),
        arms=(("experiment", 1, "control", 1234, unit),),
        flag=None,
    )


def _event(number: int) -> Event:
    return Event(f"event-{number}", f"{number:032x}", "click", "programme-of-some-length-1", 1)
