"""From exposures and events to a report, on every database; and the watch that stops an arm that harms."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from app.analysis.analyst import FRESH_S, Analyst
from app.analysis.evidence import design_of, evidence
from app.analysis.traffic import traffic
from app.analysis.watch import Watch, without
from app.experiments.registry import Registry
from app.experiments.shelf import StoreShelf
from app.experiments.spec import Arm, Experiment
from app.experiments.version import Version
from app.feedback.event import Event
from app.feedback.exposure import FAILED, Exposure
from app.feedback.intake import EVENT, EXPOSURE, Lines, keep
from app.settings import Settings
from app.store import Store
from cli.main import app

AT = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
NOW = AT + timedelta(days=3)
ARMS = (Arm("control", 50.0), Arm("deep", 50.0, None, {"depth": 500}))


def page(
    query_id: str, at: datetime, unit: str, arm: tuple[str, int, str] | None, **facts: object
) -> Exposure:
    plain = Exposure(
        query_id=query_id,
        at_s=at.timestamp(),
        unit=unit,
        session=None,
        consent=False,
        text=None,
        filters=None,
        query_hash=query_id,
        lang="en",
        system="hybrid",
        fingerprint="f",
        precision=None,
        offset=0,
        hits=(("a", 1, None, None), ("b", 2, None, None)),
        total=2,
        total_ms=50.0,
        degraded=(),
        arms=() if arm is None else ((*arm, 7, unit),),
        flag=None,
    )
    return replace(plain, **facts)


def put(store: Store, *values: Exposure | Event) -> None:
    """Everything into the store; an event came five seconds after its page."""
    served = {one.query_id: one.at_s for one in values if isinstance(one, Exposure)}
    plain = [
        [EXPOSURE, one.plain()]
        if isinstance(one, Exposure)
        else [EVENT, one.plain(), served[one.query_id] + 5]
        for one in values
    ]
    keep(store, Lines.read(json.loads(json.dumps(plain))))


def click(query_id: str, doc_id: str) -> Event:
    return Event(f"click {query_id}", query_id, "click", doc_id, None)


def made(store: Store, experiment: Experiment | None = None) -> Version:
    return StoreShelf(lambda: store).put(experiment or Experiment("k", ARMS, "k", "k"), lambda _: True, AT)


def test_the_evidence_is_what_was_logged(store: Store) -> None:
    version = made(store)
    one, two = ("k", 1, "control"), ("k", 1, "deep")
    put(
        store,
        page("before", AT - timedelta(days=2), "u1", None),
        page("long before", AT - timedelta(days=30), "u2", None),
        page("q1", AT + timedelta(hours=1), "u1", one, lang="zh-Hans"),
        page("q2", AT + timedelta(hours=2), "u2", two, total_ms=70.0),
        page("q3", AT + timedelta(hours=40), "u2", two, hits=(), total=0),
        page("bot", AT + timedelta(hours=3), "u3", two, flag="bot"),
        page("broken", AT + timedelta(hours=5), "u2", two, flag=FAILED, hits=()),
        page("elsewhere", AT + timedelta(hours=4), "u4", ("other", 1, "deep")),
        page("older", AT + timedelta(hours=4), "u4", ("k", 2, "deep")),
        click("before", "b"),
        click("q2", "b"),
    )
    found = evidence(store, version, NOW)
    assert len(found) == 4
    assert found.unit_count == 2
    order = np.argsort(found.at_s)
    assert found.arms[order].tolist() == [0, 1, 1, 1]
    assert found.metrics["click_mrr@5"][order].tolist() == pytest.approx([0, 0.5, math.nan, 0], nan_ok=True)
    assert found.metrics["error"][order].tolist() == [0, 0, 1, 0]
    assert found.metrics["zero_result"][order].tolist() == pytest.approx([0, 0, math.nan, 1], nan_ok=True)
    assert found.metrics["latency_ms"][order].tolist() == pytest.approx([50, 70, math.nan, 50], nan_ok=True)
    assert found.tags["lang"][order][0] == "zh-Hans"
    assert found.tags["visitor"][order].tolist() == ["known", "new", "new", "new"]
    past = dict(
        zip(found.units[order].tolist(), found.before["click_mrr@5"][found.units[order]], strict=True)
    )
    assert sorted(past.values(), key=math.isnan) == pytest.approx([0.5, math.nan], nan_ok=True)
    assert evidence(store, version, AT + timedelta(minutes=90)).unit_count == 1
    assert len(traffic(store, AT, NOW)) == 5


def test_a_design_is_what_was_fixed_before(store: Store) -> None:
    version = made(
        store,
        Experiment(
            "k",
            ARMS,
            "k",
            "k",
            starts_at=AT + timedelta(days=1),
            primary="ctr@1",
            effect=0.01,
            guardrails={"latency_p95_ms": 900.0, "error": None},
        ),
    )
    design = design_of(version)
    assert (design.arms, design.shares, design.primary) == (("control", "deep"), (0.5, 0.5), "ctr@1")
    assert design.metric("ctr@1").effect == 0.01
    assert {one.name: one.tolerance for one in design.guardrails} == {
        "p95 latency_ms": 900.0,
        "zero_result": 0.01,
    }
    assert design.begun_at_s == (AT + timedelta(days=1)).timestamp()
    assert design.ended_at_s is None
    [stored] = StoreShelf(lambda: store).versions()
    assert stored.experiment == version.experiment
    stopped = StoreShelf(lambda: store).stop("k", "enough", NOW)
    assert design_of(stopped).ended_at_s == NOW.timestamp()


def crowd(
    store: Store, arms: tuple[str, ...], people: int, slow: str | None = None, version: int = 1
) -> None:
    """People in each arm, two searches each, every third one clicked; one arm may be slow."""
    rng = np.random.default_rng(1)
    values: list[Exposure | Event] = []
    for place, arm in enumerate(arms):
        for person in range(people):
            for turn in range(2):
                query_id = f"{version} {arm} {person} {turn}"
                at = AT + timedelta(hours=1 + 24 * turn, minutes=person)
                took = float(rng.gamma(9, 10)) * (8 if arm == slow else 1)
                values.append(page(query_id, at, f"u{place} {person}", ("k", version, arm), total_ms=took))
                if person % 3 == 0:
                    values.append(click(query_id, "a"))
    put(store, *values)


def test_a_report_adds_up_with_the_log(store: Store) -> None:
    version = made(store)
    crowd(store, ("control", "deep"), 150)
    moment = [0.0]
    analyst = Analyst(lambda: store, lambda: NOW, lambda: moment[0])
    told = analyst.report(version)
    assert [(arm["units"], arm["searches"]) for arm in told["arms"]] == [(150, 300), (150, 300)]
    assert (told["as_of"], told["days"]) == (NOW.isoformat(), 3.0)
    by = {metric["name"]: metric for metric in told["metrics"]}
    # A third of all searches was clicked on the first hit.
    for name in ("click_mrr@5", "ctr@1"):
        assert by[name]["arms"]["deep"]["value"] == pytest.approx(1 / 3)
    assert by["zero_click"]["arms"]["control"]["value"] == pytest.approx(2 / 3)
    assert {one["state"] for one in told["guardrails"]} <= {"holds", "open"}
    assert told["verdict"]["kind"] == "open"
    json.dumps(told, allow_nan=False)
    # Kept for a while, then made anew; and anew at once where the version changed.
    put(store, page("late", AT + timedelta(hours=60), "u0 1", ("k", 1, "control")))
    assert analyst.report(version)["searches"] == 600
    moment[0] = FRESH_S
    assert analyst.report(version)["searches"] == 601
    stopped = StoreShelf(lambda: store).stop("k", "enough", AT + timedelta(hours=30))
    assert analyst.report(stopped)["ended_at"] is not None


def run(place: Settings, *words: str) -> Result:
    environment = {"SCHOLARSEARCH_HOME": str(place.home)}
    if place.store_url is not None:
        environment["SCHOLARSEARCH_STORE_URL"] = place.store_url.get_secret_value()
    return CliRunner().invoke(app, ["experiment", *words], env=environment)


def test_the_command_says_what_the_report_says(store: Store, place: Settings, tmp_path: Path) -> None:
    version = made(store)
    crowd(store, ("control", "deep"), 150)
    expected = Analyst(lambda: store, lambda: datetime.now(UTC)).report(version)
    told = run(place, "report", "k", "--json")
    assert told.exit_code == 0, told.output
    moving = {"as_of", "days", "daily", "metrics"}  # they go on with the clock
    found = json.loads(told.stdout)
    assert {key: value for key, value in found.items() if key not in moving} == {
        key: value for key, value in expected.items() if key not in moving
    }
    page = tmp_path / "k.html"
    plain = run(place, "report", "k", "--html", str(page))
    assert expected["verdict"]["sentence"] in plain.stdout
    assert "control 150 of 150 planned" in plain.stdout
    assert "<svg" in page.read_text(encoding="utf-8")
    for words, message in (
        (("report", "none"), "no experiment 'none'"),
        (("report", "k", "--version", "2"), "has no version 2"),
    ):
        refused = run(place, *words)
        assert refused.exit_code != 0
        assert message in refused.output


def test_a_plan_is_learnt_from_the_log_or_told(store: Store, place: Settings) -> None:
    empty = run(place, "power")
    assert empty.exit_code != 0
    assert "--value" in empty.output
    told = json.loads(run(place, "power", "--value", "0.3", "--deviation", "0.4", "--json").stdout)
    wide = json.loads(
        run(place, "power", "--value", "0.3", "--deviation", "0.4", "--effect", "0.01", "--json").stdout
    )
    assert wide["units"] == pytest.approx(4 * told["units"], rel=1e-3)
    assert told["sequential_units"] > told["units"]
    assert told["days"] is None
    since = datetime.now(UTC) - timedelta(days=3)
    for person in range(200):
        put(
            store,
            *(
                page(
                    f"{person} {turn}", since + timedelta(hours=person % 48, minutes=turn), f"p{person}", None
                )
                for turn in range(2)
            ),
            *([click(f"{person} 0", "a")] if person % 2 else []),
        )
    learnt = json.loads(run(place, "power", "--metric", "ctr@1", "--coverage", "50", "--json").stdout)
    # Half of the people click on one of two searches: a unit moves the mean by ±1/4.
    assert learnt["mean"] == pytest.approx(0.25)
    assert learnt["spread_per_unit"] == pytest.approx(0.25, rel=0.01)


def watch(store: Store, registry: Registry, ratios: dict[str, float], *, stops: bool = True) -> Watch:
    registry.refresh()
    analyst = Analyst(lambda: store, lambda: NOW)
    return Watch(analyst, lambda: registry, ratios.update, lambda: NOW, 60.0, stops=stops)


def test_an_arm_that_harms_is_stopped(store: Store) -> None:
    made(store)
    crowd(store, ("control", "deep"), 400, slow="deep")
    registry = Registry(StoreShelf(lambda: store))
    ratios: dict[str, float] = {}
    watch(store, registry, ratios, stops=False).look()
    assert registry.current()["k"].state == "running"
    assert ratios == {"k": 1.0}
    watch(store, registry, ratios).look()
    version = registry.current()["k"]
    assert version.state == "stopped"
    assert version.stop_reason is not None
    assert version.stop_reason.startswith("guardrail: deep adds ")
    assert "p95 latency_ms" in version.stop_reason
    told = Analyst(lambda: store, lambda: NOW).report(version)
    assert (told["verdict"]["kind"], told["verdict"]["arm"]) == ("stopped", "deep")


def test_the_other_arms_go_on_as_a_new_version(store: Store) -> None:
    three = (Arm("control", 40.0), Arm("deep", 30.0), Arm("wide", 30.0, None, {"window": 50}))
    made(store, Experiment("k", three, "k", "k", coverage=20.0))
    crowd(store, ("control", "deep", "wide"), 400, slow="deep")
    registry = Registry(StoreShelf(lambda: store))
    watch(store, registry, {}).look()
    versions = registry.versions()
    assert [(one.number, one.state) for one in versions] == [(1, "stopped"), (2, "running")]
    left = versions[1].experiment
    assert [(arm.name, arm.weight) for arm in left.arms] == [("control", 57.14), ("wide", 42.86)]
    assert sum(round(arm.weight * 100) for arm in left.arms) == 10_000
    assert (left.coverage, left.arms[1].overrides) == (20.0, {"window": 50})
    watch(store, registry, {}).look()  # nobody was served by it yet
    assert registry.versions() == versions


def test_without_control_nothing_is_left() -> None:
    one = Experiment("k", ARMS, "k", "k")
    assert without(one, {"deep"}) is None
