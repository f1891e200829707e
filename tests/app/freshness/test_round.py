"""A round over a real store and a real site: what is due, what is kept, how it goes on, and what the service does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from app.fake import open_fake
from app.freshness import patrol as patrol_module
from app.freshness.patrol import LOCK, Patrol
from app.freshness.round import Manner, agent, due, look_round
from app.freshness.visit import Limits
from app.lock import held
from app.main import create_app
from app.settings import Settings
from app.store import Store, open_store
from app.store.visits import all_visits, visits_of
from cli.main import app as command_line
from index.document import Document

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(Settings(home=tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def manner() -> Manner:
    return Manner(interval_s=0.0, limits=Limits(wait_s=2.0, total_s=5.0), allow_private=True)


def award(doc_id: str, url: str | None, source: str = "feed") -> Document:
    return Document(doc_id, "Award", url=url, source=source)


def page(status: int = 200) -> Callable[[Any], None]:
    return lambda handler: handler.reply(status, b"<p>An award</p>", Content_Type="text/html", ETag='"1"')


def fill(store: Store, site: Any) -> None:
    site.pages |= {"/there": page(), "/gone": page(404), "/other": page()}
    store.upsert(
        [
            award("a", site.url("/there")),
            award("b", site.url("/there")),  # two records of one page
            award("c", site.url("/gone")),
            award("d", site.url("/other"), "other feed"),
            award("e", "http://awards.example:25/"),
            award("f", None),
        ],
        None,
        NOW,
    )


def test_a_round_looks_at_every_link_once_and_the_next_one_at_what_is_due(
    store: Store, site: Any, manner: Manner
) -> None:
    fill(store, site)
    first = look_round(store, manner, lambda: NOW)
    assert (first.due, first.looked, dict(first.states)) == (4, 4, {"ok": 2, "gone": 1, "refused": 1})
    assert site.asked("/there") == ["HEAD", "GET"]
    assert look_round(store, manner, lambda: NOW + timedelta(hours=1)).due == 0
    # What was gone is looked at again the next day, the others in a week.
    assert list(due(store, manner, NOW + DAY)) == [site.url("/gone")]
    look_round(store, manner, lambda: NOW + DAY)
    assert visits_of(store, [site.url("/gone")])[site.url("/gone")].broken_since == NOW
    assert list(due(store, manner, NOW + 2 * DAY)) == []
    assert len(due(store, manner, NOW + 9 * DAY)) == 4
    assert store.counts().records == 6  # nothing is ever deleted


def test_a_link_that_comes_back_is_whole_again(store: Store, site: Any, manner: Manner) -> None:
    fill(store, site)
    for days in (0, 1):
        look_round(store, manner, lambda days=days: NOW + days * DAY)  # type: ignore[misc]
    site.pages["/gone"] = page()
    look_round(store, manner, lambda: NOW + 9 * DAY)
    assert all(visit.broken_since is None for visit in all_visits(store))


def test_an_interrupted_round_goes_on_where_it_stopped(store: Store, site: Any, manner: Manner) -> None:
    paths = [f"/{at}" for at in range(40)]
    site.pages |= dict.fromkeys(paths, page())
    store.upsert([award(f"r{at}", site.url(path)) for at, path in enumerate(paths)], None, NOW)

    def interrupt(step: str, done: int, total: int) -> None:
        if done == 15:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look_round(store, manner, lambda: NOW, interrupt)
    assert len(list(all_visits(store))) == 15
    rest = look_round(store, manner, lambda: NOW)
    assert (rest.due, rest.looked) == (25, 25)


def test_a_round_may_be_of_some_sources_or_some_links(store: Store, site: Any) -> None:
    fill(store, site)
    some = Manner(sources=frozenset({"other feed"}))
    assert list(due(store, some, NOW)) == [site.url("/other")]
    assert len(due(store, Manner(most=2), NOW)) == 2


def test_the_checker_says_who_it_is() -> None:
    assert agent(None).startswith("ScholarSearch/")
    assert "mailto:me@example.org" in agent("mailto:me@example.org")


def test_the_service_looks_at_nothing_unless_told_to(tmp_path: Path) -> None:
    for hours, patrols in ((None, 0), (1, 1)):
        settings = Settings(home=tmp_path, link_check_hours=hours)
        with TestClient(create_app(settings, open_fake)):
            walking = [thread for thread in threading.enumerate() if thread.name == "patrol"]
            assert len(walking) == patrols
        for thread in walking:
            thread.join(timeout=30)
            assert not thread.is_alive()


def test_a_patrol_makes_its_rounds_alone(
    store: Store, site: Any, manner: Manner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, site)
    settings = Settings(home=tmp_path, contact="mailto:me@example.org")
    named: list[str | None] = []

    def made(contact: str | None) -> Manner:
        named.append(contact)
        return manner

    monkeypatch.setattr(patrol_module, "Manner", made)
    with held(tmp_path / LOCK, wait=False):
        hindered = Patrol(settings, hours=0.00001)
        hindered.start()
        time.sleep(0.3)
        hindered.stop()
        assert site.requests == []
    patrol = Patrol(settings, hours=0.00001)
    patrol.start()
    end = time.monotonic() + 30
    while len(list(all_visits(store))) < 4 and time.monotonic() < end:
        time.sleep(0.05)
    patrol.stop()
    assert len(list(all_visits(store))) == 4
    assert set(named) == {"mailto:me@example.org"}


def ask(home: Path, *words: str) -> Any:
    return CliRunner().invoke(command_line, list(words), env={"SCHOLARSEARCH_HOME": str(home)})


def test_the_commands_tell_people_and_programs(store: Store, site: Any, tmp_path: Path) -> None:
    fill(store, site)
    quick = ("--interval", "0", "--allow-private", "--older-than", "0")
    told = json.loads(ask(tmp_path, "freshness", "check", *quick, "--json").stdout)
    assert told["states"] == {"gone": 1, "ok": 2, "refused": 1}
    assert (
        "4 of 4 links looked at: 2 ok, 1 gone, 1 refused"
        in ask(tmp_path, "freshness", "check", *quick).stdout
    )
    shown = json.loads(ask(tmp_path, "records", "show", "c", "--json").stdout)["link_check"]
    assert (shown["state"], shown["status"], shown["broken_since"]) == ("gone", 404, None)
    assert "link_check: gone (404), checked 20" in ask(tmp_path, "records", "show", "c").stdout
    assert "link_check: never checked" in ask(tmp_path, "records", "show", "f").stdout
    report = json.loads(ask(tmp_path, "freshness", "report", "--json").stdout)
    assert (report["all"]["records"], report["all"]["links"], report["all"]["links_broken"]) == (6, 5, 0)
    assert set(report["sources"]) == {"feed", "other feed"}


def test_a_broken_link_is_said_in_the_record_and_the_report(
    store: Store, site: Any, manner: Manner, tmp_path: Path
) -> None:
    fill(store, site)
    for days in (0, 1):
        look_round(store, manner, lambda days=days: NOW + days * DAY)  # type: ignore[misc]
    assert (
        "link_check: link broken since 2026-11-20 (404), checked 2026-11-21"
        in ask(tmp_path, "records", "show", "c").stdout
    )
    report = json.loads(ask(tmp_path, "freshness", "report", "--json").stdout)
    assert report["sources"]["feed"]["links_broken"] == 1


def test_without_leave_this_machine_is_not_visited(store: Store, site: Any, tmp_path: Path) -> None:
    fill(store, site)
    told = json.loads(ask(tmp_path, "freshness", "check", "--interval", "0", "--json").stdout)
    assert told["states"] == {"refused": 4}
    assert site.requests == []


def test_two_checks_of_one_home_do_not_meet(store: Store, site: Any, tmp_path: Path) -> None:
    with held(tmp_path / LOCK, wait=False):
        done = ask(tmp_path, "freshness", "check")
    assert done.exit_code == 1
    assert done.stderr == "error: another process is looking at the links of this home\n"
