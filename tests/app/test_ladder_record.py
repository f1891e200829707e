"""The record and its replay, the streams of the gradient, the week's queries, the pin's file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.precision.day import Bursts, arrivals
from app.precision.gradient import UNKNOWN, Gradient, ProbeStream, TrainerStream
from app.precision.picture import draw
from app.precision.pin import Pin
from app.precision.probe import Probe
from app.precision.record import Record, RecordDamaged, replay, rounded, state_line, step_line
from app.precision.replaying import replayed
from app.precision.simulation import Machine, simulate
from app.precision.week import Week
from models.health import DeviceReading
from models.ladder import Agreement, Rules, Signals, begin
from models.precision import step
from models.rung import RUNGS
from models.selftest import ProbeList
from training.gradient import GradientMonitor

AT = datetime(2026, 10, 1, tzinfo=UTC)
number = st.none() | st.floats(0, 1e6)
signals = st.builds(
    Signals,
    *[number] * 7,
    st.dictionaries(st.sampled_from(RUNGS), st.builds(Agreement, st.floats(0, 1), st.integers(0, 99))),
    st.none() | st.builds(DeviceReading, st.none() | st.floats(0, 120), st.integers(0, 9), st.integers(0, 3)),
    st.none() | st.sampled_from(RUNGS),
)


@given(st.lists(st.tuples(st.floats(0, 100), signals), max_size=40), st.integers(0, 40))
def test_a_record_read_back_is_the_same_steps_wherever_a_file_begins(log, cut) -> None:
    state, now, lines, states = begin(Rules(dwell_s=5.0), RUNGS, 3.5), 3.5, [], []
    lines.append(state_line(state))
    for at, (passed, seen) in enumerate(log):
        if at == cut:
            lines.append(state_line(state))
        now += passed
        seen = rounded(seen)
        state = step(state, seen, now)
        lines.append(step_line(seen, state, AT))
        states.append(state)
    assert [one.state for one in replay(lines)] == states
    headed = [at for at, line in enumerate(lines) if line.startswith('{"state"')][-1]
    assert [one.state for one in replay(lines[headed:])] == states[headed - (headed > 0) :]


def test_files_are_bounded_and_each_can_be_replayed_alone(tmp_path: Path) -> None:
    state = begin(Rules(down_after_s=3.0, dwell_s=10.0), RUNGS, 0.0)
    with Record(tmp_path, limit_bytes=4000, kept=3) as record:
        record.begin(state)
        for now in range(1, 200):
            seen = rounded(Signals(grad_norm_std=0.01 if now // 20 % 2 else 0.1, qps_std=1.0))
            state = step(state, seen, now)
            record.step(seen, state, AT)
    files = [tmp_path / name for name in ("signals.jsonl.2", "signals.jsonl.1", "signals.jsonl")]
    assert sorted(tmp_path.glob("signals.jsonl*")) == sorted(files)
    for file in files:
        assert file.stat().st_size <= 4000 + 1200
        steps = list(replay(file.read_text().splitlines()))
        assert steps
        assert all(one.told == one.state.rung for one in steps)
    assert steps[-1].state == state


def test_two_processes_of_a_home_do_not_write_into_one_file(tmp_path: Path) -> None:
    with Record(tmp_path) as first, Record(tmp_path) as second:
        assert first.path != second.path
    with Record(tmp_path) as third:
        assert third.path.name == "signals.jsonl"


def test_a_line_that_was_cut_off_is_passed_over_and_one_that_is_wrong_is_named() -> None:
    state = begin(Rules(), RUNGS, 0.0)
    good = step_line(Signals(), step(state, Signals(), 1.0), None)
    assert len(list(replay([state_line(state), good, good[:20]]))) == 1
    with pytest.raises(RecordDamaged, match="day:2: is no step"):
        list(replay([state_line(state), good[:20], good], "day"))
    with pytest.raises(RecordDamaged, match="before"):
        list(replay([good]))
    with pytest.raises(RecordDamaged, match="int5"):
        list(replay([state_line(state), '{"t": 1, "pin": "int5"}', good]))


def test_the_last_word_of_a_trainer_is_read_as_it_writes_it(tmp_path: Path) -> None:
    path, monitor = tmp_path / "gradient.jsonl", GradientMonitor(window=3, decay=0.5)
    stream = TrainerStream(path)
    assert stream.reading(0.0) == UNKNOWN
    with path.open("w") as file:
        for at, norm in enumerate((1.0, 2.0, 3.0, 2.5)):
            last = monitor.observe(at, {"lora": norm, "gate": 0.0, "head": 9.0})
            file.write(last.line())
            file.flush()
            read = stream.reading(0.0)
            assert read.norm == pytest.approx(last.grad_norm)
            assert (read.std is None) == (at < 2)
        assert stream.reading(0.0).std == pytest.approx(last.grad_norm_std)
        file.write('{"step":4,"grad_nor')
    assert stream.reading(0.0).norm == pytest.approx(last.grad_norm)


def test_a_norm_that_stays_has_settled_and_another_adapter_unsettles_it(tmp_path: Path) -> None:
    path = tmp_path / "gradient.jsonl"
    stream = ProbeStream(path, every_s=10.0, window=4)
    assert stream.reading(0.0) == UNKNOWN
    path.write_text('{"grad_norm":1.5}\n')
    seen = [stream.reading(float(now)) for now in range(0, 41, 10)]
    assert [one.std for one in seen] == [None, None, None, 0.0, 0.0]
    assert stream.reading(41.0) == Gradient(1.5, 0.0)
    with path.open("a") as file:
        file.write('{"grad_norm":2.5}\n')
    assert stream.reading(45.0).norm == 1.5  # not its time yet
    samples = [stream.reading(float(now)) for now in range(50, 100, 10)]
    assert samples[0].std == pytest.approx(np.std([1.5, 1.5, 1.5, 2.5], ddof=1))
    assert samples[-1] == Gradient(2.5, 0.0)


def test_half_a_line_or_none_is_no_norm(tmp_path: Path) -> None:
    path = tmp_path / "gradient.jsonl"
    path.write_text('{"grad_norm":null}\n{"grad_norm":1.')
    assert ProbeStream(path).reading(0.0) == UNKNOWN


def test_frequent_queries_are_of_this_week_and_nobodys_own() -> None:
    week, day = Week(fewest=2), 86_400.0
    for query, at in (
        ("Old", 0.0),
        ("old", 0.0),
        ("DAAD  Master", 5 * day),
        ("daad master", 6 * day),
        ("mine", 6 * day),
    ):
        week.asked(query, at)
    week.asked("  ", 6 * day)
    assert week.frequent(6 * day) == ["daad master", "old"]
    assert week.frequent(7 * day) == ["daad master"]
    assert week.frequent(30 * day) == []


def test_a_days_many_queries_are_cut_back_to_the_frequent_ones() -> None:
    week = Week(fewest=2)
    for _ in range(3):
        week.asked("often", 0.0)
    for at in range(9000):
        week.asked(f"once {at}", 0.0)
    assert week.frequent(0.0) == ["often"]
    assert len(week._days[0][1]) <= 4001


def test_the_pin_of_the_settings_counts_until_somebody_decides(tmp_path: Path) -> None:
    pin, other = Pin(tmp_path, "int8"), Pin(tmp_path, "int8")
    assert pin.read() == "int8"
    other.write(None)
    assert pin.read() is None
    other.write("int4")
    assert pin.read() == "int4"
    (tmp_path / "pin.json").write_text("half a fi")
    assert pin.read() == "int4"
    assert Pin(None, "int8").read() == "int8"


def test_a_day_has_the_shape_that_was_asked_for_and_a_seed_gives_it_again() -> None:
    plain = arrivals(40.0, 3, Bursts(a_day=0.0))
    hourly = plain.reshape(24, 3600).mean(axis=1)
    assert hourly.argmax() in (21, 22)
    assert hourly.argmin() in (3, 4)
    assert hourly.max() == pytest.approx(40.0, rel=0.05)
    assert (arrivals(40.0, 3) == arrivals(40.0, 3)).all()
    assert (arrivals(40.0, 3) != arrivals(40.0, 4)).any()
    assert arrivals(40.0, 3, Bursts(40.0, 4.0)).sum() > plain.sum()


def test_a_simulated_hour_replays_to_itself_and_can_be_drawn(tmp_path: Path) -> None:
    lines: list[str] = []
    counts = arrivals(90.0, 7)[21 * 3600 : 22 * 3600]
    machine = Machine(workers=4, adapter_at=600, settling_s=60.0)
    outcome = simulate(counts, Rules(policy="pressure"), machine, 7, lines.append)
    found = replayed(replay(lines))
    assert found.told == (3600, 3600)
    assert found.moves
    assert outcome.state.switches == len(found.moves)
    assert sum(found.seconds.values()) == pytest.approx(3599.0)
    assert found.summary()["switches"] == len(found.moves)
    for one, two in pairwise(found.moves):
        assert two.t - one.t >= Rules().dwell_s or one.reason == "quality"
    draw(found, tmp_path / "a.png", "an hour")
    draw(found, tmp_path / "b.png", "an hour")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    json.dumps(found.summary())


def test_without_a_step_there_is_nothing_to_replay() -> None:
    with pytest.raises(ValueError, match="no step"):
        replayed([])


def test_the_probe_stands_still_while_searches_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    probe = Probe(tmp_path, tmp_path, lambda: clock[0])
    probe.write([ProbeList("q", ("a", "b"), np.zeros((2, 1), np.float32), (1, 0))])
    begun = subprocess.Popen

    def asleep(arguments: list[str], **named: object) -> subprocess.Popen[bytes]:
        return begun([sys.executable, "-c", "import time; time.sleep(60)"])

    monkeypatch.setattr(subprocess, "Popen", asleep)
    probe.tend()
    process = Path(f"/proc/{probe._child.pid}/stat")

    def state() -> str:
        return process.read_text().rpartition(")")[2].split()[0]

    def becomes(wanted: str) -> bool:
        return any(state() in wanted or time.sleep(0.01) for _ in range(500))

    probe.hold()
    assert becomes("T")
    clock[0] = 1.5
    probe.tend()
    assert state() == "T"
    probe.hold()
    clock[0] = 4.4
    probe.tend()
    assert state() == "T"
    clock[0] = 4.6
    probe.tend()
    assert becomes("RSD")
    probe.hold()
    probe.close()  # also one that stands still
    assert not process.exists()


def test_a_service_that_is_never_idle_lets_the_probe_run_in_the_end(tmp_path: Path) -> None:
    sent: list[int] = []

    class Child:
        def poll(self) -> None: ...

        def send_signal(self, which: int) -> None:
            sent.append(which)

    probe = Probe(tmp_path, tmp_path, lambda: 0.0)
    probe._child = Child()  # type: ignore[assignment]
    for _ in range(2000):
        probe.hold()
        probe.tend()
    assert sent == [signal.SIGSTOP, signal.SIGCONT]
