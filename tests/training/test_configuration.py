"""Settings from TOML: what is said is taken, and what is wrong is named by its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.configuration import SHIPPED, read_settings, settings_of
from training.errors import ConfigError
from training.settings import TrainingSettings


def written(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_empty_file_is_the_defaults(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "")) == TrainingSettings()


def test_what_is_said_is_taken(tmp_path: Path) -> None:
    read = read_settings(
        written(
            tmp_path,
            """
            [data]
            tasks = { award = 2, ageing = 0.5 }
            [model]
            lora_targets = ["query", "value"]
            gates = []
            [optimiser]
            lora_rate = 1
            [run]
            precision = "bf16"
            """,
        )
    )
    assert read.data.tasks == {"award": 2.0, "ageing": 0.5}
    assert read.model.lora_targets == ("query", "value")
    assert read.model.gates == ()
    assert read.optimiser.lora_rate == 1.0
    assert isinstance(read.optimiser.lora_rate, float)
    assert read.run.precision == "bf16"


@pytest.mark.parametrize(
    ("table", "place", "words"),
    [
        ({"optimizer": {}}, "optimizer", "is not known"),
        ({"optimiser": {"lr": 1}}, "optimiser.lr", "is not known"),
        ({"optimiser": {"lora_rate": "fast"}}, "optimiser.lora_rate", "must be a number"),
        ({"optimiser": {"lora_rate": True}}, "optimiser.lora_rate", "must be a number"),
        ({"optimiser": {"lora_rate": -1.0}}, "optimiser.lora_rate", "between 0 and 1"),
        ({"optimiser": {"lora_rate": float("nan")}}, "optimiser.lora_rate", "between 0 and 1"),
        ({"optimiser": {"steps": 1.5}}, "optimiser.steps", "must be a whole number"),
        ({"optimiser": 3}, "optimiser", "must be a table"),
        ({"batch": {"list_size": 1}}, "batch.list_size", "between 2 and 256"),
        ({"batch": {"group_tokens": 100, "forward_tokens": 200}}, "batch.forward_tokens", "must not exceed"),
        ({"model": {"lora_targets": "query"}}, "model.lora_targets", "must be a list"),
        ({"model": {"lora_targets": []}}, "model.lora_targets", "at least one"),
        ({"model": {"gates": ["input", "output"]}}, "model.gates[1]", "must be one of"),
        ({"model": {"pooling": "max"}}, "model.pooling", "must be one of"),
        ({"data": {"tasks": {"award": -1}}}, "data.tasks.award", "0 or more"),
        ({"data": {"tasks": {"award": "much"}}}, "data.tasks.award", "must be a number"),
        ({"loss": {"listwise": 0, "margin": 0}}, "loss", "at least one"),
        ({"run": {"precision": "fp16"}}, "run.precision", "needs run.device"),
    ],
)
def test_what_is_wrong_is_named(table: dict[str, object], place: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        settings_of(table)
    assert caught.value.place == place
    assert str(caught.value).startswith(place)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml cannot be read"):
        read_settings(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match="is not TOML"):
        read_settings(written(tmp_path, "[run"))
    with pytest.raises(ConfigError, match=r"run\.toml"):
        read_settings(written(tmp_path, "[run]\nseed = -1"))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_configuration_can_be_read(path: Path) -> None:
    assert read_settings(path).optimiser.steps > 0
