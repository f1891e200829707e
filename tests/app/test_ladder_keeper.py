"""The keeper over engines whose ways are known, on a clock that stands where it is put."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.blend import Blend
from app.judging import LateJudge
from app.precision.gradient import Gradient
from app.precision.keeper import Keeper, Parts
from app.precision.record import Record, replay
from app.precision.setup import Setup
from app.reranking import Judge, Sample
from models.errors import ModelMissing
from models.health import DeviceReading
from models.ladder import Rules
from models.scores import Scores
from models.selftest import ProbeList, Verdict

BLEND = Blend(first=1.0, logit=1.0, fits=(), highest_logit=1.0, usual_logit=0.0)
PASSED = tuple(
    Verdict(rung, True, why, "", 1.0, 1.0, ms, 8.0 / ms)
    for rung, why, ms in (("fp16", "reference", 8.0), ("int8", "passed", 4.0), ("int4", "passed", 2.0))
)
QUICK = Rules(down_after_s=2.0, up_after_s=1.0, dwell_s=3.0, samples=4, quarantine_s=20.0)
NOW = datetime(2026, 10, 1, tzinfo=UTC)


class Engine:
    """Scores a text by its length, backwards when it is `wrong`."""

    name = "engine"

    def __init__(self, rung: str) -> None:
        self.rung, self.fingerprint, self.wrong, self.calls = rung, f"engine-{rung}", False, 0

    def score(self, query: str, documents: Any, timings: Any, gated: bool = True) -> Scores:
        self.calls += 1
        lengths = np.array([len(text) for text in documents], np.float32)
        return Scores(-lengths if self.wrong else lengths, np.zeros(len(documents), np.bool_))


@dataclass
class World:
    """Everything outside the keeper."""

    now: float = 1000.0
    gradient: Gradient = field(default_factory=lambda: Gradient(1.0, 0.001))
    device: DeviceReading | None = None
    engines: dict[str, Engine] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    moves: list[tuple[str, str, str]] = field(default_factory=list)

    def reading(self, now: float) -> Gradient:
        return self.gradient

    def read(self) -> DeviceReading | None:
        return self.device

    def open(self, rung: str) -> Judge:
        self.opened.append(rung)
        self.engines[rung] = Engine(rung)
        return Judge(self.engines[rung], BLEND, rung)  # type: ignore[arg-type]


def keeper(world: World, folder: Path | None = None, rules: Rules = QUICK, **setup: Any) -> Keeper:
    judges = LateJudge(world.open)  # type: ignore[arg-type]
    for rung in ("fp16", "int8", "int4"):
        judges.get(rung)  # type: ignore[arg-type]
    record = None if folder is None else Record(folder)
    lists = lambda _: []  # noqa: E731
    made = Keeper(
        Setup(rules, folder, **{"shadow": 0.0, **setup}),
        Parts(judges, lists, world, world, record, lambda: world.now, lambda: NOW),
    )
    made.switched = lambda *move: world.moves.append(move)
    if record is not None:
        record.begin(made.state)
    made.take(PASSED)
    return made


def run(made: Keeper, world: World, seconds: int, qps: int = 5) -> None:
    for _ in range(seconds):
        for _search in range(qps):
            made.seen(10.0, 0.0, False)
            world.now += 1.0 / qps
        made.tick()


@pytest.fixture
def world() -> World:
    return World()


def test_searches_are_served_on_the_rung_that_the_signals_lead_to(world: World) -> None:
    made = keeper(world)
    assert made.pick().rung == "fp16"
    run(made, world, 90)
    assert made.pick().rung == "int4"
    assert world.moves == [("fp16", "int8", "settled"), ("int8", "int4", "settled")]
    world.gradient = Gradient(1.0, 0.2)
    run(made, world, 10)
    assert made.pick().rung == "fp16"
    assert world.moves[2:] == [("int4", "int8", "gradient"), ("int8", "fp16", "gradient")]


def test_a_search_keeps_its_judge_whatever_the_ladder_does(world: World) -> None:
    made = keeper(world)
    judge = made.pick()
    made.pin("int4")
    assert judge.rung == "fp16"
    before = world.engines["fp16"].calls, world.engines["int4"].calls
    judge.reranker.score("q", ["a"], np.zeros((1, 1), np.float32))
    assert (world.engines["fp16"].calls, world.engines["int4"].calls) == (before[0] + 1, before[1])
    assert made.pick().rung == "int4"


def test_a_plan_has_its_floor_and_a_named_rung_is_the_one_that_serves(world: World) -> None:
    made = keeper(world)
    made.pin("int4")
    assert made.pick(floor="int8").rung == "int8"
    assert made.pick("fp16").rung == "fp16"


def test_a_hard_query_is_served_one_rung_higher(world: World) -> None:
    made = keeper(world)
    run(made, world, 90)
    hard = "funded phd or master scholarship in engineering and public health for women from Kenya in Germany"
    assert made.pick(text="grant").rung == "int4"
    assert made.pick(text=hard).rung == "int8"


def sample(judge: Judge, sizes: list[int]) -> Sample:
    texts = ["x" * size for size in sizes]
    timings = np.zeros((len(texts), 1), np.float32)
    logits = judge.reranker.score("q", texts, timings).logits
    return Sample("q", texts, timings, True, np.zeros(len(texts), np.float32), logits, judge.rung)


def test_the_guard_leaves_a_rung_that_ranks_otherwise_and_lets_it_back(world: World) -> None:
    made = keeper(world, shadow=1.0)
    run(made, world, 90)
    judge = made.pick()
    assert judge.rung == "int4"
    assert judge.sample is not None
    world.engines["int4"].wrong = True
    for _ in range(4):
        made._shadow.compare(sample(judge, list(range(1, 13))))
    made.tick()
    assert world.moves[-1] == ("int4", "int8", "quality")
    shown = {one["rung"]: one for one in made.report()["rungs"]}
    assert shown["int4"]["quarantined_until"] is not None
    assert (shown["int4"]["usable"], shown["int8"]["usable"]) == (False, True)
    world.engines["int4"].wrong = False
    run(made, world, 30)
    assert made.pick().rung == "int8"  # the time is over, but nothing was compared since
    world.gradient = Gradient(1.0, 0.2)
    run(made, world, 10)  # up on the reference, whose samples are scored on the absent rung
    for _ in range(4):
        made._shadow.compare(sample(made.pick(), list(range(1, 13))))
    world.gradient = Gradient(1.0, 0.001)
    run(made, world, 20)
    assert made.pick().rung == "int4"


def test_on_the_reference_the_next_rung_is_compared_before_it_ever_serves(world: World) -> None:
    made = keeper(world, shadow=1.0)
    world.engines["int8"].wrong = True
    before = world.engines["int4"].calls
    made._shadow.compare(sample(made.pick(), list(range(1, 13))))
    made.tick()
    assert made.signals.agreement["int8"].mean < 0.5
    assert world.engines["int4"].calls == before


def test_a_score_that_is_no_number_never_looks_like_agreement(world: World) -> None:
    made = keeper(world, shadow=1.0)
    made.pin("int8")
    judge = made.pick()
    taken = sample(judge, list(range(1, 13)))
    taken.logits[3] = np.nan
    made._shadow.compare(taken)
    made.tick()
    assert made.signals.agreement["int8"].mean == 0.0


def test_the_pin_outlives_the_process_and_reaches_the_others(world: World, tmp_path: Path) -> None:
    first, second = keeper(world, tmp_path), keeper(world, tmp_path)
    first.pin("int8")
    assert first.state.rung == "int8"
    second.tick()
    assert second.state.rung == "int8"
    first.close()
    second.close()
    third = keeper(world, tmp_path, pin="int4")
    third.tick()
    assert third.state.rung == "int8"
    third.pin(None)
    assert third.state.pin is None
    third.close()


def test_what_it_did_can_be_replayed_from_its_record(world: World, tmp_path: Path) -> None:
    made = keeper(world, tmp_path)
    run(made, world, 90)
    world.gradient, world.device = Gradient(1.0, 0.2), DeviceReading(97.0)
    run(made, world, 20)
    made.close()
    steps = list(replay((tmp_path / "signals.jsonl").read_text().splitlines()))
    assert len(steps) == 110
    assert [one.told for one in steps] == [one.state.rung for one in steps]
    assert steps[-1].state == made.state


def test_a_reset_of_the_device_loads_every_engine_again(world: World) -> None:
    import threading

    made = keeper(world)
    world.device = DeviceReading(60.0)
    made.tick()
    opened = len(world.opened)
    world.device = DeviceReading(60.0, resets=1)
    made.tick()
    for thread in threading.enumerate():
        if thread.name == "rungs":
            thread.join(10)
    assert world.opened[opened:] == ["fp16", "int8", "int4"]


def test_the_self_test_lays_the_ladder_and_says_why_a_rung_is_not_on_it(world: World) -> None:
    texts = tuple("x" * size for size in range(1, 13))
    probe = ProbeList("q", texts, np.zeros((12, 1), np.float32))

    def open_(rung: str) -> Judge:
        if rung == "int4":
            raise ModelMissing("no compiler was there")
        return world.open(rung)

    made = Keeper(
        Setup(QUICK, shadow=0.0),
        Parts(LateJudge(open_), lambda _: [probe], world, world, clock=lambda: world.now),  # type: ignore[arg-type]
    )
    world.engines = {}
    assert [one["reason"] for one in made.report()["rungs"]] == ["untested"] * 3

    slow = {"fp16": 3.0, "int8": 1.0}
    real = Engine.score

    def score(self: Engine, *given: Any, **named: Any) -> Scores:
        world.now += slow[self.rung]
        return real(self, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "score", score)
        made._proving.test()
    shown = {one["rung"]: one for one in made.report()["rungs"]}
    assert made.state.rungs == ("fp16", "int8")
    assert (shown["int8"]["reason"], round(shown["int8"]["gain"], 2)) == ("passed", 3.0)
    assert (shown["int4"]["reason"], shown["int4"]["detail"]) == ("missing", "no compiler was there")


def test_a_full_disk_costs_lines_and_not_the_ladder(world: World, tmp_path: Path) -> None:
    made = keeper(world, tmp_path)
    record = made._parts.record
    record.path = tmp_path / "gone" / "signals.jsonl"
    run(made, world, 90)
    assert made.pick().rung == "int4"
    assert made.report()["record"]["lost"] >= 90
    json.dumps(made.report())


def test_doctor_says_which_rungs_are_on_the_ladder_and_why_not(world: World) -> None:
    from app.checkup.rungs import rungs

    texts = tuple("x" * size for size in range(1, 13))
    probe = ProbeList("q", texts, np.zeros((12, 1), np.float32))

    def open_(rung: str) -> Judge:
        if rung == "int4":
            raise ModelMissing("no compiler was there")
        return world.open(rung)

    ticks = iter(range(100))
    found = {one.name: one for one in rungs(lambda: [probe], lambda: float(next(ticks)), LateJudge(open_))}  # type: ignore[arg-type]
    assert (found["int4"].status, found["int4"].detail) == ("absent", "no compiler was there")
    assert found["fp16"].status == "ok"
    assert (found["int8"].status, found["int8"].facts["reason"]) == ("absent", "slower")
    nothing = {one.name: one for one in rungs(lambda: [], float, LateJudge(world.open))}  # type: ignore[arg-type]
    assert nothing["self-test"].fix == "scholarsearch index"
