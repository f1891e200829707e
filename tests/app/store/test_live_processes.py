"""Real processes with the real encoder: workers of one service, a second service, and the command line beside them."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.bench.live.service import Caller, Service
from app.bench.live.tally import Load, bench_live
from app.experiments.bucket import bucket
from app.fake_programmes import programmes
from app.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PATIENCE_S = 120.0
COMMAND = "from cli.main import main; main()"


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


def environment(place: Settings) -> dict[str, str]:
    url = {} if place.store_url is None else {"SCHOLARSEARCH_STORE_URL": place.store_url.get_secret_value()}
    return {**os.environ, "SCHOLARSEARCH_HOME": str(place.home), **url}


def scholarsearch(place: Settings, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words], env=environment(place), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def services(place: Settings) -> Iterator[list[Service]]:
    """Two services, one of them with two workers, over one home and store, with little room before a compaction."""
    scholarsearch(place, "index")
    url = {} if place.store_url is None else {"store_url": place.store_url.get_secret_value()}
    both = [Service(place.home, {"compact_at": "30", **url}, workers) for workers in (2, 1)]
    try:
        for one in both:
            one.start()
        yield both
    finally:
        for one in both:
            one.stop()


def everywhere(services: list[Service], doc_id: str, title: str | None) -> bool:
    """Whether many new connections, which go to all workers, see that title; None: no such record."""
    for service in services:
        for _ in range(6):
            caller = Caller(service.port)
            try:
                reply = caller.call("GET", f"/v1/opportunities/{doc_id}")
            except (OSError, http.client.HTTPException):
                return False
            finally:
                caller.close()
            if (reply.body["title"] if reply.status == 200 else None) != title:
                return False
    return True


def test_all_processes_see_what_any_process_writes(
    services: list[Service], place: Settings, tmp_path: Path
) -> None:
    caller = Caller(services[0].port)
    written = caller.call("PUT", "/v1/opportunities/x-1", {"title": "Quuxification Award"})
    assert (written.status, written.body["searchable"]) == (201, True)
    until(lambda: everywhere(services, "x-1", "Quuxification Award"))

    (tmp_path / "awards.csv").write_text("id,title\n7,Zephyr Prize\n")
    scholarsearch(place, "ingest", str(tmp_path / "awards.csv"))
    until(lambda: everywhere(services, "awards:7", "Zephyr Prize"))
    found = caller.search("Zephyr Prize").body["hits"]
    assert "awards:7" in [hit["id"] for hit in found]

    before = caller.call("GET", "/v1/version").body["snapshot"].partition("+")[0]
    items = [{"id": f"y-{number}", "title": f"Yonder {number}"} for number in range(40)]
    assert caller.call("POST", "/v1/opportunities:bulk", items).body["counts"] == {"created": 40}
    assert caller.call("DELETE", "/v1/opportunities/x-1").body["status"] == "deleted"
    until(lambda: everywhere(services, "y-39", "Yonder 39"))
    until(lambda: everywhere(services, "x-1", None))

    def compacted() -> bool:
        with closing(Caller(services[0].port)) as first, closing(Caller(services[1].port)) as second:
            versions = [one.call("GET", "/v1/version").body["snapshot"] for one in (first, second)]
        return all(version.partition("+")[0] != before for version in versions)

    until(compacted)
    assert everywhere(services, "y-39", "Yonder 39")
    assert everywhere(services, "x-1", None)
    caller.close()


def arms(service: Service, units: list[str]) -> list[tuple[int, str, int] | None]:
    """Version, arm and bucket that each unit gets, None for no arm; each asked over a connection of its own."""
    found = []
    for unit in units:
        with closing(Caller(service.port)) as caller:
            exposures = caller.search("grant", unit_id=unit, page_size=1).body["experiments"]
        found.append(next(((e["version"], e["variant"], e["bucket"]) for e in exposures), None))
    return found


def test_all_processes_give_a_unit_the_same_arm(
    services: list[Service], place: Settings, tmp_path: Path
) -> None:
    units = ["42", '"42"', "用户1", "🎓", *map(str, range(100, 120))]
    drawn = {unit: bucket("variant:deeper", unit) for unit in units}
    file = tmp_path / "deeper.json"

    def put(weight: int) -> None:
        treated = {"name": "deep", "weight": 100 - weight, "overrides": {"depth": 50}}
        file.write_text(json.dumps({"arms": [{"name": "control", "weight": weight}, treated]}))
        scholarsearch(place, "experiment", "create", str(file))

    for version, weight in ((1, 50), (2, 10)):
        put(weight)
        expected = [
            (version, "control" if drawn[unit] < weight * 100 else "deep", drawn[unit]) for unit in units
        ]
        for service in services:
            until(lambda service=service, expected=expected: arms(service, units) == expected)
        assert [arms(service, units) for service in services] == [expected] * 2
    scholarsearch(place, "experiment", "stop", "deeper")
    for service in services:
        until(lambda service=service: arms(service, units) == [None] * len(units))


def test_a_small_tally_finds_everything_and_loses_nothing(place: Settings) -> None:
    url = {} if place.store_url is None else {"store_url": place.store_url.get_secret_value()}
    load = Load(writes=60, kills=2, clients=2, pause_ms=50, idle_s=4)
    told = bench_live(
        place.home, load, {"compact_at": "40", **url}, lambda step, done, total: None, programmes()
    )
    # Milliseconds are the machine's; what is found and what is kept is ours.
    assert sum(told["writes"]["kinds"].values()) == 60
    assert (told["writes"]["refused"], told["writes"]["never_searchable"]) == (0, [])
    assert (told["searches"]["failed"], told["searches"]["degraded"]) == (0, 0)
    assert told["searches"]["idle"]["count"] > 0
    assert told["searches"]["during_writes"]["count"] > 0
    kills = told["kills"]
    assert kills["kills"] == 2
    assert kills["acknowledged"] > 0
    assert (kills["acknowledged_missing"], kills["half_visible"], kills["not_searchable"]) == ([], [], [])
