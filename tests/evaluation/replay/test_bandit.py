"""Bandit logs from files; on public logs, estimates against what each policy really earned."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from cli.main import app
from evaluation.replay.bandit import UNIFORM, read_bandit_log, replay_bandit
from evaluation.replay.decisions import ReplayError
from evaluation.replay.outside import Trial, trials

Key = tuple[str, str, str]


def written(path: Path, header: list[str], rows: list[list[object]]) -> Path:
    with gzip.open(path, "wt", newline="") if path.suffix == ".gz" else path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def log_of(path: Path, rows: int = 1200) -> Path:
    """Two positions, three things, shown evenly; `b` is clicked half of the time, the others a tenth."""
    rng = np.random.default_rng(4)
    told = []
    for _ in range(rows):
        thing = "abc"[rng.integers(3)]
        click = int(rng.random() < (0.5 if thing == "b" else 0.1))
        told.append([thing, rng.integers(1, 3), click, 1 / 3, float(thing == "b"), f"u{rng.integers(300)}"])
    return written(path, ["item_id", "position", "click", "action_prob", "target:always-b", "user_id"], told)


@pytest.mark.parametrize("name", ["log.csv", "log.csv.gz"])
def test_a_stated_policy_and_the_uniform_one(tmp_path: Path, name: str):
    log = read_bandit_log(log_of(tmp_path / name))
    found = replay_bandit(log, "always-b", np.random.default_rng(1))
    by_hand = 3 * log.rewards[log.actions == "b"].sum() / len(log.rewards)
    assert {one.name: one.value for one in found.estimates}["ips"] == pytest.approx(by_hand)
    assert found.best is not None
    assert found.best.low < 0.5 < found.best.high
    assert replay_bandit(log, UNIFORM, np.random.default_rng(1)).served.value == pytest.approx(
        log.rewards.mean()
    )
    assert found.health.units == len(np.unique(log.units))


def test_another_log_says_how_often_it_shows_what(tmp_path: Path):
    log = read_bandit_log(log_of(tmp_path / "log.csv"))
    other = written(
        tmp_path / "other.csv", ["action", "context", "reward", "propensity"],
        [["b", 1, 0, 0.9], ["b", 1, 0, 0.9], ["a", 1, 0, 0.1], ["c", 2, 0, 1.0]],
    )  # fmt: skip
    found = replay_bandit(log, read_bandit_log(other), np.random.default_rng(1))
    chance = {("b", "1"): 2 / 3, ("a", "1"): 1 / 3, ("c", "2"): 1.0}
    weights = [3 * chance.get(key, 0.0) for key in zip(log.actions, log.contexts, strict=True)]
    assert {one.name: one.value for one in found.estimates}["ips"] == pytest.approx(
        float((np.array(weights) * log.rewards).mean())
    )


@pytest.mark.parametrize(
    ("header", "row", "told"),
    [
        (["item_id", "click"], ["a", 1], "no column propensity"),
        (["action", "reward", "propensity"], ["a", "often", 0.5], ":2: the reward is no number: 'often'"),
        (["action", "reward", "propensity"], ["a", 1], ":2: 2 cells where the header has 3"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(
    tmp_path: Path, header: list[str], row: list[object], told: str
):
    with pytest.raises(ReplayError, match=told):
        read_bandit_log(written(tmp_path / "log.csv", header, [row]))


def test_an_unknown_policy_is_named_with_the_known_ones(tmp_path: Path):
    with pytest.raises(ReplayError, match="uniform, always-b"):
        replay_bandit(read_bandit_log(log_of(tmp_path / "log.csv")), "best", np.random.default_rng(1))


# --- public logs: what each policy earned is known ----------------------------------------------------


@pytest.fixture(scope="session")
def open_bandit(shared: Path) -> Path:
    folder = shared / "data" / "ir" / "obd_sample"
    if not folder.is_dir():
        pytest.skip("the open bandit sample is not among the shared data")
    return folder


@pytest.fixture(scope="module")
def found(open_bandit: Path) -> dict[Key, Trial]:
    return {(one.campaign, one.logged, one.asked): one for one in trials(open_bandit, 17)}


def test_every_answered_question_holds_the_truth(found: dict[Key, Trial]):
    for campaign in ("men", "women"):
        for asked in ("random", "bts"):
            one = found[campaign, "random", asked]
            assert one.replay.health.refusal is None
            assert dict(one.covered) == dict.fromkeys(("ips", "snips", "clipped", "dr", "switch"), True)
    back = found["men", "bts", "random"]
    assert all(back.covered[name] for name in ("ips", "snips", "dr"))
    assert any("6.6% of the rows really count" in warning for warning in back.replay.health.warnings)


def test_a_collapsed_effective_size_is_refused(found: dict[Key, Trial]):
    one = found["women", "bts", "random"]
    assert one.replay.health.effective < 3
    assert one.replay.estimates == ()
    assert "effective sample size is 2 of 10000" in str(one.replay.health.refusal)


def test_ips_of_the_public_log_against_plain_python(open_bandit: Path, found: dict[Key, Trial]):
    """The reading, the coding and the weighing, done again with the csv module and dictionaries."""
    with gzip.open(open_bandit / "bts_men.csv.gz", "rt") as file:
        shown = [(row["item_id"], row["position"]) for row in csv.DictReader(file)]
    with gzip.open(open_bandit / "random_men.csv.gz", "rt") as file:
        names = ("item_id", "position", "click", "propensity_score")
        rows = [tuple(row[name] for name in names) for row in csv.DictReader(file)]
    at = {place: sum(p == place for _, p in shown) for place in "123"}
    often = {key: shown.count(key) / at[key[1]] for key in set(shown)}
    ips = (
        sum(int(click) * often.get((item, place), 0) / float(chance) for item, place, click, chance in rows)
        / 10_000
    )
    one = found["men", "random", "bts"]
    assert {e.name: e.value for e in one.replay.estimates}["ips"] == pytest.approx(ips, rel=1e-12)


def test_the_command_says_all_of_it_as_json(open_bandit: Path, found: dict[Key, Trial]):
    done = CliRunner().invoke(app, ["bench", "replay", "--data", str(open_bandit), "--json"])
    assert done.exit_code == 0
    told = json.loads(done.stdout)["trials"]
    assert [one["replay"]["answered"] for one in told] == [True, True, True, True, True, False]
    # The same seed gives the same figures, to the last bit.
    assert told == json.loads(json.dumps([one.figures() for one in found.values()]))
