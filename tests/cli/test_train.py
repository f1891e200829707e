"""`train` as a person and a program meet it, over examples that are there already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli.train import train
from index.timing import TIMING_FEATURES
from training.example import Candidate, Example, write_examples

face = typer.Typer()
face.command()(train)

CONFIG = """
[model]
backbone = "tiny"
head_width = 8
gate_width = 8
time_width = 4

[batch]
lists = 2
list_size = 2

[optimiser]
steps = 4
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path))
    timing = (0.0,) * len(TIMING_FEATURES)
    for part, first in (("train", 0), ("validation", 10)):
        examples = [
            Example(
                "law",
                (Candidate("law", timing, 3.0, "a"), Candidate("tax", timing, 0.0, "b")),
                "award",
                "en",
                "",
                f"g{at}",
            )
            for at in range(first, first + 4)
        ]
        write_examples(tmp_path / "examples" / f"{part}.jsonl.gz", examples)
    (tmp_path / "run.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def call(home: Path, *words: str) -> tuple[int, str, str]:
    fixed = ["--config", str(home / "run.toml"), "--data", str(home / "examples"), "--out", str(home / "out")]
    done = CliRunner().invoke(face, [*fixed, *words])
    return done.exit_code, done.stdout, done.stderr


def test_json_is_all_that_stdout_holds_and_a_second_call_has_nothing_to_do(home: Path) -> None:
    told = []
    for _ in range(2):
        code, out, _ = call(home, "--json")
        assert code == 0
        told.append(json.loads(out))
    assert told[0] == told[1]
    assert told[0]["steps"] == 4
    assert told[0]["examples"] == 4
    assert 0 < told[0]["trained_parameters"] < told[0]["parameters"]
    assert (Path(told[0]["checkpoint"]) / "manifest.json").is_file()


def test_a_person_is_told_where_the_checkpoint_is(home: Path) -> None:
    code, out, _ = call(home)
    assert code == 0
    assert f"Checkpoint: {home / 'out' / 'best'}" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[optimiser]\nspeed = 1", "optimiser.speed is not known"),
        ("[model]\nbackbone = 'none'", "no backbone named 'none'"),
    ],
)
def test_what_is_wrong_is_one_line(home: Path, text: str, words: str) -> None:
    (home / "run.toml").write_text(text, encoding="utf-8")
    code, out, err = call(home)
    assert code in {1, 2}
    assert out == ""
    assert err.startswith("error: ")
    assert words in err
    assert err.count("\n") == 1
