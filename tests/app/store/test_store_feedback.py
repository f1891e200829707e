"""Exposures and events in the store, on every database: once, judged alike in any order, and gone when asked."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from app.experiments.shelf import StoreShelf
from app.experiments.spec import Arm, Experiment
from app.feedback.desk import Desk
from app.feedback.drain import Drain
from app.feedback.errors import SpoolError
from app.feedback.event import Event
from app.feedback.export import export
from app.feedback.exposure import Exposure
from app.feedback.figures import EVERYBODY, live_figures
from app.feedback.forgetting import erase, purge
from app.feedback.intake import EVENT, EXPOSURE, Kept, Lines, keep
from app.feedback.line import line_of
from app.feedback.spool import Spool, closed_files
from app.feedback.suspicion import RATE_SEARCHES
from app.store import Store
from app.store.engine import reading
from app.store.errors import StoreUnavailable
from app.store.tables import ERASURES, EVENTS, EXPOSURE_ARMS, EXPOSURES
from evaluation.replay.searches import read_searches

AT = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
AT_S = AT.timestamp()


def exposure(query_id: str, at_s: float = AT_S, **facts: Any) -> Exposure:
    plain = Exposure(
        query_id=query_id,
        at_s=at_s,
        unit="u1",
        session=None,
        consent=True,
        text="ocean 奖学金",
        filters={"levels": ["phd"]},
        query_hash=f"words of {query_id}",
        lang="en",
        system="hybrid",
        fingerprint="f",
        precision=None,
        offset=0,
        hits=(("a", 1, 0.25, None), ("b", 2, None, "a")),
        total=2,
        total_ms=7.5,
        degraded=(),
        arms=(("one", 1, "control", 17, "u1"),),
        flag=None,
    )
    return replace(plain, **facts)


def click(event_id: str, query_id: str, doc_id: str = "a", **facts: Any) -> Event:
    return replace(Event(event_id, query_id, "click", doc_id, 1), **facts)


def lines(*values: Exposure | Event, received_s: float = AT_S + 5) -> Lines:
    """The values as they come out of the spool again."""
    spooled = [
        [EXPOSURE, one.plain()] if isinstance(one, Exposure) else [EVENT, one.plain(), received_s]
        for one in values
    ]
    return Lines.read(json.loads(json.dumps(spooled)))


def rows(store: Store, table: Any) -> list[dict[str, Any]]:
    with reading(store.engine) as connection:
        found = connection.execute(select(table).order_by(*table.primary_key)).mappings()
        return [dict(row) for row in found]


def test_a_batch_is_kept_once_however_often_it_comes(store: Store) -> None:
    batch = [exposure("q1"), exposure("q2", AT_S + 60), click("e1", "q1"), click("e2", "q2", "b")]
    first = keep(store, lines(*batch))
    assert (first.exposures, first.events, first.contradicted) == (2, 2, 0)
    before = [rows(store, table) for table in (EXPOSURES, EXPOSURE_ARMS, EVENTS)]
    again = keep(store, lines(*batch))
    assert (again.events, again.contradicted) == (0, 0)
    assert [rows(store, table) for table in (EXPOSURES, EXPOSURE_ARMS, EVENTS)] == before
    [one, other] = before[0]
    assert (one["query_id"], one["at"], one["shown"], one["text"]) == ("q1", AT, 2, "ocean 奖学金")
    assert json.loads(one["hits"]) == [["a", 1, 0.25, None], ["b", 2, None, "a"]]
    assert [(row["key"], row["variant"], row["bucket"], row["unit"]) for row in before[1]] == [
        ("one", "control", 17, "u1")
    ] * 2
    assert [(row["event_id"], row["shown_rank"], row["unit"], row["flag"]) for row in before[2]] == [
        ("e1", 1, "u1", None),
        ("e2", 2, "u1", None),
    ]
    assert other["unit"] == "u1"


def test_a_contradiction_is_counted_and_changes_nothing(store: Store) -> None:
    keep(store, lines(exposure("q1"), click("e1", "q1")))
    before = rows(store, EVENTS)
    told = keep(store, lines(click("e1", "q1", "b"), click("e2", "q1", "b"), click("e2", "q1", "a")))
    assert (told.events, told.contradicted) == (1, 2)
    assert rows(store, EVENTS)[0] == before[0]
    assert rows(store, EVENTS)[1]["doc_id"] == "b"


@pytest.mark.parametrize("seed", range(6))
def test_events_are_judged_alike_whatever_came_first(store: Store, seed: int) -> None:
    """Clicks before their search, searches of a robot found out later, doubles in two batches."""
    robot = [exposure(f"r{at:02}", AT_S + at / 2, unit="robot") for at in range(RATE_SEARCHES + 1)]
    things: list[Exposure | Event] = [
        *robot,
        exposure("q1"),
        exposure("q2", AT_S + 1000, flag="forced"),
        click("e1", "q1"),
        click("e2", "q1", at_s=AT_S + 6),
        click("e3", "q1", "never shown"),
        click("e4", "nobody's"),
        click("e5", "q2", at_s=AT_S + 1001),
        click("e6", "r07"),
        click("e7", "q1", "b", at_s=AT_S - 4000),
    ]
    random.Random(seed).shuffle(things)
    for one in things:
        keep(store, lines(one))
    flags = {row["event_id"]: row["flag"] for row in rows(store, EVENTS)}
    assert flags == {
        "e1": None,
        "e2": "duplicate",
        "e3": "unshown",
        "e4": "unknown",
        "e5": "forced",
        "e6": "bot",
        "e7": "skew",
    }
    own = {row["query_id"]: row["flag"] for row in rows(store, EXPOSURES)}
    assert own.pop("q1") is None
    assert own.pop("q2") == "forced"
    assert set(own.values()) == {"bot"}


def test_erased_is_erased_and_what_arrives_late_of_before_is_not_kept(store: Store) -> None:
    mine = [exposure("q1", text="my secret"), click("e1", "q1"), exposure("q3", unit=None, session="u1")]
    others = [exposure("q2", unit="u2", arms=(("one", 1, "deep", 3, "u2"),)), click("e2", "q2")]
    keep(store, lines(*mine, *others))
    gone = erase(store, "u1", AT + timedelta(seconds=30))
    assert (gone.searches, gone.events) == (2, 1)
    assert [row["query_id"] for row in rows(store, EXPOSURES)] == ["q2"]
    assert [row["event_id"] for row in rows(store, EVENTS)] == ["e2"]
    assert {row["query_id"] for row in rows(store, EXPOSURE_ARMS)} == {"q2"}
    late = keep(store, lines(exposure("q4"), click("e4", "q4"), exposure("q5", AT_S + 31)))
    assert late.erased == 1
    assert [row["query_id"] for row in rows(store, EXPOSURES)] == ["q2", "q5"]
    [stray] = [row for row in rows(store, EVENTS) if row["event_id"] == "e4"]
    assert (stray["unit"], stray["flag"]) == (None, "unknown")
    assert {row["query_id"] for row in rows(store, EXPOSURE_ARMS)} == {"q2", "q5"}
    assert erase(store, "u1", AT).searches == 1  # again, and what has come since


def test_what_is_too_old_goes_with_all_that_belongs_to_it(store: Store) -> None:
    keep(store, lines(exposure("old"), click("e1", "old"), exposure("new", AT_S + 86_400)))
    keep(store, lines(click("e2", "new"), received_s=AT_S + 86_401))
    erase(store, "somebody", AT)
    gone = purge(store, AT + timedelta(hours=1))
    assert (gone.searches, gone.events) == (1, 1)
    assert [row["query_id"] for row in rows(store, EXPOSURES)] == ["new"]
    assert [row["event_id"] for row in rows(store, EVENTS)] == ["e2"]
    assert {row["query_id"] for row in rows(store, EXPOSURE_ARMS)} == {"new"}
    assert rows(store, ERASURES) == []


def test_the_live_figures_are_told_by_arm_of_the_running_version(store: Store) -> None:
    shelf = StoreShelf(lambda: store)
    arms = (Arm("control", 50.0), Arm("deep", 50.0, None, {"depth": 300}))
    shelf.put(Experiment("one", arms, "one", "one"), lambda _: True, AT)
    keep(
        store,
        lines(
            exposure("q1"),
            click("e1", "q1", "b"),
            exposure("q2", AT_S + 1000, unit="u2", arms=(("one", 1, "deep", 3, "u2"),), hits=(), total=0),
            exposure("q3", AT_S + 1, unit="u3", arms=(("one", 7, "gone", 3, "u3"),)),
            exposure("q4", AT_S - 90_000, unit="u4"),
            exposure("q5", AT_S + 2, unit="u5", flag="forced"),
        ),
    )
    found = live_figures(store, AT + timedelta(hours=1))
    assert set(found) == {EVERYBODY, ("one", "control"), ("one", "deep")}
    assert found[EVERYBODY].searches == 3
    assert found[EVERYBODY].means["click_mrr@5"] == pytest.approx(0.5 / 3)
    assert found["one", "control"].means["click_mrr@5"] == 0.5
    assert found["one", "deep"].means["zero_result"] == 1.0
    assert math.isnan(found["one", "deep"].means["dwell_ms"])


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_an_export_is_what_replay_reads(store: Store, tmp_path: Path, form: str) -> None:
    many = [exposure(f"q{at:04}", AT_S + at, unit=f"u{at % 400}") for at in range(1201)]
    keep(store, lines(*many, click("e1", "q0003", "b"), click("e2", "q0004", "z")))
    folder = tmp_path / form
    written = export(store, form, folder, AT, AT + timedelta(days=1))
    assert written == {"exposures": 1201, "events": 2}
    searches = {one.query_id: one for one in read_searches(folder)}
    assert len(searches) == 1201
    one = searches["q0003"]
    assert (one.at, one.unit, one.text) == (AT + timedelta(seconds=3), "u3", "ocean 奖学金")
    assert one.filters == {"levels": ["phd"]}
    assert [(hit.doc_id, hit.rank, hit.propensity, hit.team) for hit in one.hits] == [
        ("a", 1, 0.25, None),
        ("b", 2, None, "a"),
    ]
    assert one.deed("b").clicked
    assert not searches["q0004"].deeds
    assert sorted(file.name for file in folder.iterdir()) == [f"events.{form}", f"exposures.{form}"]
    if form == "parquet":
        table = pq.read_table(folder / "exposures.parquet")
        assert json.loads(table["experiments"][0].as_py())[0]["variant"] == "control"
    assert export(store, form, folder, AT, AT + timedelta(seconds=2)) == {"exposures": 2, "events": 0}


class Fallible:
    """A store that can be gone."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.gone = False

    def __call__(self) -> Store:
        if self.gone:
            raise StoreUnavailable("gone")
        return self.store


def query_ids(store: Store) -> Iterable[str]:
    return [row["query_id"] for row in rows(store, EXPOSURES)]


def test_what_is_handed_in_waits_for_a_store_that_is_gone(store: Store, tmp_path: Path) -> None:
    kept: list[tuple[Kept, int]] = []
    opened, spool = Fallible(store), Spool(tmp_path / "spool", 1 << 30)
    drain = Drain(spool, tmp_path / "spool", opened, lambda *told: kept.append(told))
    desk = Desk(spool, lambda: store, lambda why: None)
    opened.gone = True
    assert desk.expose(exposure("q1"))
    assert desk.receive([click("e1", "q1")], AT_S + 1) == ["accepted"]
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            drain.drain()
    assert len(closed_files(tmp_path / "spool")) == 1  # a store that takes nothing costs no file each time
    assert query_ids(store) == []
    opened.gone = False
    desk.expose(exposure("q2", AT_S + 60))
    drain.drain()
    assert query_ids(store) == ["q1", "q2"]
    assert [row["flag"] for row in rows(store, EVENTS)] == [None]
    assert closed_files(tmp_path / "spool") == []
    assert sum(told.exposures for told, _ in kept) == 2


def test_lines_that_are_none_are_counted_and_keep_no_other_back(store: Store, tmp_path: Path) -> None:
    kept: list[tuple[Kept, int]] = []
    spool = Spool(tmp_path, 1 << 30)
    drain = Drain(spool, tmp_path, lambda: store, lambda *told: kept.append(told))
    whole = line_of([EXPOSURE, exposure("q1").plain()])
    strange = line_of(["another", 1]) + line_of(7) + line_of([EVENT, ["too", "short"], 1.0])
    spool.append(whole[:40] + b"\n" + strange + whole + line_of([EXPOSURE, exposure("q2").plain()])[:-9])
    drain.drain()
    assert query_ids(store) == ["q1"]
    assert [damaged for _, damaged in kept] == [5]


def test_an_event_is_known_from_the_store_after_a_restart(store: Store, tmp_path: Path) -> None:
    spool = Spool(tmp_path, 1 << 30)
    Desk(spool, lambda: store, lambda why: None).receive([click("e1", "q1")], AT_S)
    Drain(spool, tmp_path, lambda: store, lambda kept, damaged: None).drain()
    desk = Desk(spool, lambda: store, lambda why: None)
    sent = [
        click("e1", "q1"),
        click("e1", "q1", "b"),
        click("e2", "q1"),
        click("e2", "q1"),
        click("e2", "q2"),
    ]
    told = ["known", "contradicted", "accepted", "known", "contradicted"]
    assert desk.receive(sent, AT_S) == told
    assert desk.receive(sent, AT_S) == ["known", "contradicted", "known", "known", "contradicted"]


def test_an_event_that_did_not_reach_the_disk_is_not_known_the_next_time(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(Spool(tmp_path, 1 << 30), lambda: store, lambda why: None)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(5, "Input/output error")))
        with pytest.raises(SpoolError):
            desk.receive([click("e1", "q1")], AT_S)
    assert desk.receive([click("e1", "q1")], AT_S) == ["accepted"]
