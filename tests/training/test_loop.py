"""The loop on a tiny network: it learns, it repeats itself, and a kill in the middle leaves no trace."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from app.blend import Blend
from index.fit import FIT_FEATURES
from index.timing import TIMING_FEATURES
from models.checkpoint import load_checkpoint
from models.manifest import read_manifest
from training.configuration import settings_of
from training.errors import ConfigError, Diverged, ExampleError, StateError
from training.example import Candidate, Example, write_examples
from training.loop import GRADIENT, LOG, STATE, VALIDATION
from training.run import BEST, CURVES, RUN, Trained, train
from training.settings import TrainingSettings
from training.teacher import write_teacher

ROOT = Path(__file__).resolve().parents[2]
OPEN, CLOSED = TIMING_FEATURES.index("is_open"), TIMING_FEATURES.index("is_closed")
RECORDS = (LOG, GRADIENT, VALIDATION)
WORDS = ("physics", "music", "law", "nursing", "history", "design")


def timing(row: int) -> tuple[float, ...]:
    return tuple(float(at == row) for at in range(len(TIMING_FEATURES)))


def examples(count: int, first: int = 0) -> list[Example]:
    """The same text, open and closed, beside noise: only time tells the first two apart."""
    found = []
    for at in range(first, first + count):
        word = WORDS[at % len(WORDS)]
        candidates = (
            Candidate(f"#### {at}", timing(OPEN), 0.0, "noise"),
            Candidate(f"award {word} {at}", timing(CLOSED), 1.0, "closed"),
            Candidate(f"award {word} {at}", timing(OPEN), 3.0, "open"),
        )
        found.append(Example(word, candidates, "award", "en", "2026-01-01", f"g{at}"))
    return found


def settings(**changes: dict[str, object]) -> TrainingSettings:
    table: dict[str, dict[str, object]] = {
        "model": {"backbone": "tiny", "head_width": 16, "gate_width": 16, "time_width": 8},
        "batch": {"lists": 4, "list_size": 3, "group_tokens": 200, "forward_tokens": 120},
        "optimiser": {"steps": 12, "lora_rate": 0.003, "gate_rate": 0.01, "head_rate": 0.01},
        "run": {"validate_steps": 4, "save_steps": 3, "monitor_window": 4, "patience": 0},
    }
    for part, values in changes.items():
        table.setdefault(part, {}).update(values)
    return settings_of(table)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_examples(tmp_path / "train.jsonl.gz", examples(24))
    write_examples(tmp_path / "validation.jsonl.gz", examples(8, first=100))
    return tmp_path


def silent(_step: str, _done: int, _total: int) -> None:
    pass


def trained(chosen: TrainingSettings, data: Path, out: Path) -> Trained:
    return train(chosen, data, out, silent, "test")


def records_of(out: Path) -> dict[str, str]:
    return {name: (out / name).read_text(encoding="utf-8") for name in RECORDS}


def weights_of(out: Path) -> str:
    return read_manifest(out / BEST).weights_sha256


def test_it_learns_an_order_that_only_time_tells(data: Path) -> None:
    done = trained(settings(optimiser={"steps": 60}), data, data / "out")
    assert done.outcome.best.mrr5 == 1.0
    deaf = trained(settings(optimiser={"steps": 60}, model={"gates": []}), data, data / "deaf")
    assert deaf.outcome.best.mrr5 < 0.7


def test_a_run_leaves_a_checkpoint_and_its_story(data: Path) -> None:
    done = trained(settings(), data, data / "out")
    manifest = read_manifest(done.checkpoint)
    assert manifest.metadata["seed"] == 17
    assert set(manifest.metadata["data"]) == {"train", "validation"}  # type: ignore[call-overload]
    assert manifest.metadata["validation"]["mrr5"] == done.outcome.best.mrr5  # type: ignore[index]
    assert load_checkpoint(done.checkpoint).settings.features == len(TIMING_FEATURES)
    assert json.loads((data / "out" / RUN).read_text())["steps"] == 12
    assert (data / "out" / CURVES).read_bytes().startswith(b"\x89PNG")
    lines = [json.loads(line) for line in records_of(data / "out")[GRADIENT].splitlines()]
    assert [line["step"] for line in lines] == list(range(12))
    assert set(lines[0]["norms"]) == {"lora", "gate", "head"}
    assert lines[3]["grad_norm_std"] is not None


def test_the_same_seed_gives_the_same_run_and_another_one_does_not(data: Path) -> None:
    for out, seed in (("one", 17), ("two", 17), ("other", 18)):
        trained(settings(run={"seed": seed}), data, data / out)
    assert records_of(data / "one") == records_of(data / "two")
    assert weights_of(data / "one") == weights_of(data / "two")
    assert weights_of(data / "one") != weights_of(data / "other")


def test_memory_budgets_do_not_change_the_gradient(data: Path) -> None:
    # Without dropout, for its noise depends on how pairs are laid out.
    still = {"model": {"dropout": 0.0}}
    trained(settings(**still), data, data / "small")
    trained(
        settings(**still, batch={"group_tokens": 100_000, "forward_tokens": 50_000}), data, data / "large"
    )
    small, large = (
        [json.loads(line)["loss"] for line in records_of(data / out)[LOG].splitlines()]
        for out in ("small", "large")
    )
    assert small == pytest.approx(large, rel=1e-3)


def test_a_run_that_was_killed_goes_on_to_the_same_end(data: Path) -> None:
    """A real SIGKILL, at a moment of its own choosing, several times over."""
    chosen = settings(optimiser={"steps": 40}, model={"dropout": 0.2, "lora_dropout": 0.1})
    whole, broken = data / "whole", data / "broken"
    trained(chosen, data, whole)
    program = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]\n"
        "from pathlib import Path\n"
        "from test_loop import settings, trained\n"
        "chosen = settings(optimiser={'steps': 40}, model={'dropout': 0.2, 'lora_dropout': 0.1})\n"
        f"trained(chosen, Path({str(data)!r}), Path({str(broken)!r}))\n"
    )
    kills = 0
    for least in (2, 11, 26):
        child = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "OMP_NUM_THREADS": "1"})
        while child.poll() is None and lines_in(broken / LOG) < least:
            time.sleep(0.005)
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            kills += 1
        child.wait()
    assert kills > 0
    trained(chosen, data, broken)
    assert records_of(broken) == records_of(whole)
    assert weights_of(broken) == weights_of(whole)


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_finished_run_is_left_as_it_is(data: Path) -> None:
    trained(settings(), data, data / "out")
    before = records_of(data / "out"), weights_of(data / "out")
    trained(settings(), data, data / "out")
    assert (records_of(data / "out"), weights_of(data / "out")) == before


def test_another_run_is_not_gone_on_from(data: Path) -> None:
    trained(settings(), data, data / "out")
    with pytest.raises(StateError, match="another settings"):
        trained(settings(optimiser={"steps": 13}), data, data / "out")
    write_examples(data / "train.jsonl.gz", examples(25))
    with pytest.raises(StateError, match="another data"):
        trained(settings(), data, data / "out")
    (data / "out" / STATE).write_bytes(b"PK\x03\x04 no state")
    with pytest.raises(StateError, match="damaged"):
        trained(settings(), data, data / "out")


def test_it_stops_when_validation_no_longer_improves(data: Path) -> None:
    still = settings(
        optimiser={"steps": 400, "lora_rate": 0.0, "gate_rate": 0.0, "head_rate": 0.0},
        run={"patience": 2, "validate_steps": 3},
    )
    done = trained(still, data, data / "out")
    assert (done.outcome.steps, done.outcome.best_step, done.outcome.stopped_early) == (9, 2, True)


def test_a_loss_that_is_no_number_ends_the_run(data: Path) -> None:
    wild = settings(
        optimiser={"head_rate": 1.0, "lora_rate": 1.0, "gate_rate": 1.0, "clip_norm": 1e6, "steps": 400}
    )
    write_examples(
        data / "train.jsonl.gz",
        [replace(each, candidates=(replace(each.candidates[0], timing=(float("nan"),) * len(TIMING_FEATURES)),
                                   *each.candidates[1:])) for each in examples(4)],
    )  # fmt: skip
    with pytest.raises(Diverged, match="step 0"):
        trained(wild, data, data / "out")


def test_a_teacher_is_followed(data: Path) -> None:
    # It likes what the grades call useless.
    write_teacher(data / "teacher.jsonl.gz", ((row, (3.0, -3.0, -3.0)) for row in range(24)))
    chosen = settings(
        data={"teacher": "teacher.jsonl.gz"},
        loss={"listwise": 0.0, "margin": 0.0, "distillation": 1.0},
        optimiser={"steps": 80},
    )
    trained(chosen, data, data / "out")
    losses = [json.loads(line)["losses"] for line in records_of(data / "out")[LOG].splitlines()]
    assert set(losses[0]) == {"distillation"}
    assert losses[-1]["distillation"] < 0.3 * losses[0]["distillation"]


def test_data_that_cannot_be_right_are_refused(data: Path) -> None:
    write_examples(data / "validation.jsonl.gz", examples(3, first=23))
    with pytest.raises(ExampleError, match="'g23' is also trained on"):
        trained(settings(), data, data / "out")
    write_examples(data / "validation.jsonl.gz", [])
    with pytest.raises(ExampleError, match="holds no example"):
        trained(settings(), data, data / "out")
    old = replace(examples(1, first=200)[0], candidates=(Candidate("t", (0.0,), 3.0, "d"),))
    write_examples(data / "validation.jsonl.gz", [old])
    with pytest.raises(ExampleError, match="1 time features"):
        trained(settings(), data, data / "out")


def test_cuda_that_is_not_there_is_named(data: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")
    with pytest.raises(ConfigError, match=r"run\.device is cuda"):
        trained(settings(run={"device": "cuda"}), data, data / "out")


@pytest.mark.gpu
@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
def test_it_learns_on_cuda_in_every_precision(data: Path, precision: str) -> None:
    chosen = settings(optimiser={"steps": 60}, run={"device": "cuda", "precision": precision})
    assert trained(chosen, data, data / "out").outcome.best.mrr5 == 1.0


def test_it_learns_in_bf16(data: Path) -> None:
    done = trained(settings(optimiser={"steps": 60}, run={"precision": "bf16"}), data, data / "out")
    assert done.outcome.best.mrr5 == 1.0


def test_a_checkpoint_can_be_the_teacher(data: Path) -> None:
    taught_by = trained(settings(optimiser={"steps": 60}), data, data / "teacher").checkpoint
    chosen = settings(
        data={"teacher": str(taught_by)},
        loss={"listwise": 0.0, "margin": 0.0, "distillation": 1.0},
        optimiser={"steps": 60},
        run={"seed": 18},
    )
    done = trained(chosen, data, data / "out")
    assert done.outcome.best.mrr5 > 0.85  # deaf to time it is 0.7 at most
    assert set(read_manifest(done.checkpoint).metadata["data"]) == {"train", "validation", "teacher"}  # type: ignore[call-overload]


def test_the_checkpoint_says_how_its_logit_counts(data: Path) -> None:
    assert trained(settings(), data, data / "plain").checkpoint
    assert read_manifest(data / "plain" / BEST).metadata["blend"] is None
    held = [
        replace(
            each,
            candidates=tuple(
                replace(candidate, fused=float(at), fits=(0.0,) * len(FIT_FEATURES))
                for at, candidate in enumerate(each.candidates)
            ),
        )
        for each in examples(8, first=100)
    ]
    write_examples(data / "validation.jsonl.gz", held)
    done = trained(settings(optimiser={"steps": 60}), data, data / "out")
    blend = Blend.of(read_manifest(done.checkpoint).metadata["blend"])  # type: ignore[arg-type]
    assert blend.logit > 0


def test_a_teacher_of_other_examples_is_refused(data: Path) -> None:
    write_teacher(data / "teacher.jsonl.gz", [(0, (1.0, 2.0))])
    with pytest.raises(ExampleError, match=r"teacher\.jsonl\.gz:1: logits of other examples"):
        trained(settings(data={"teacher": "teacher.jsonl.gz"}), data, data / "out")


def test_a_run_can_begin_where_another_ended(data: Path) -> None:
    first = trained(settings(optimiser={"steps": 60}), data, data / "first")
    still = {"optimiser": {"steps": 1, "lora_rate": 0.0, "gate_rate": 0.0, "head_rate": 0.0}}
    second = trained(settings(model={"start": str(first.checkpoint)}, **still), data, data / "second")
    assert second.outcome.best == first.outcome.best
    assert weights_of(data / "second") == weights_of(data / "first")
    with pytest.raises(ConfigError, match=r"model\.start is a network of another shape"):
        trained(settings(model={"start": str(first.checkpoint), "head_width": 8}), data, data / "third")
