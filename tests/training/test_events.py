from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from training.events import PACKAGE, scalars, write_events
from training.journal import Journal, records
from training.loop import GRADIENT, LOG, VALIDATION


@pytest.fixture
def run(tmp_path: Path) -> Path:
    lines = {
        LOG: {"step": 0, "loss": 1.5, "losses": {"listwise": 1.25}, "pairs": 8},
        GRADIENT: {"step": 0, "norms": {"lora": 0.5}, "grad_norm": 0.5, "grad_norm_std": None},
        VALIDATION: {"step": 0, "mrr5": 0.75, "best": True},
    }
    for name, fields in lines.items():
        journal = Journal(tmp_path / name, 0)
        journal.record(fields)
        journal.close()
    return tmp_path


EXPECTED = {
    ("train/loss", 1.5, 0),
    ("train/losses/listwise", 1.25, 0),
    ("train/pairs", 8.0, 0),
    ("gradient/norms/lora", 0.5, 0),
    ("gradient/grad_norm", 0.5, 0),
    ("validation/mrr5", 0.75, 0),
    ("validation/best", 1.0, 0),
}


def test_every_number_of_the_records_has_a_name(run: Path) -> None:
    assert set(scalars(run)) == EXPECTED


def test_nothing_is_written_without_the_package(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert write_events(run) is False
    assert list(run.glob("events.*")) == []


def test_tensorboard_reads_what_was_written(run: Path) -> None:
    if importlib.util.find_spec(PACKAGE) is None:
        pytest.skip("the package tensorboard is not installed")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    assert write_events(run)
    assert write_events(run)
    found = EventAccumulator(str(run)).Reload()
    read = {(tag, e.value, e.step) for tag in found.Tags()["scalars"] for e in found.Scalars(tag)}
    assert read == EXPECTED


def test_a_journal_forgets_what_came_after_the_step_it_goes_on_from(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    first = Journal(path, 0)
    for step in range(4):
        first.record({"step": step})
    first.write('{"step":4')  # a process that was killed here
    first.close()
    again = Journal(path, 2)
    again.record({"step": 2, "new": True})
    again.close()
    assert records(path) == [{"step": 0}, {"step": 1}, {"step": 2, "new": True}]
    assert records(tmp_path / "none.jsonl") == []
