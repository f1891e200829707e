"""Learning from simulated clicks: the world, one round counted out, and the claim that bias is not locked in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from cli.main import app
from evaluation.replay.attraction import attractions
from evaluation.replay.users import PositionBased
from training.feedback.rounds import inertia, ndcg, rounds
from training.feedback.trial import courses, gains
from training.feedback.world import World, make_world
from training.implicit import click_grades, click_weights


def test_grades_of_what_was_done() -> None:
    clicked = np.array([True, True, True, False, True])
    dwell_ms = np.array([np.nan, 29_999.0, 30_000.0, np.nan, 1.0])
    applied = np.array([False, False, False, True, True])
    assert click_grades(clicked, dwell_ms, applied).tolist() == [1, 1, 2, 3, 3]


def test_weights_are_one_over_the_chance_of_a_look_up_to_a_limit() -> None:
    looked = np.array([1.0, 0.5, 0.04])
    assert click_weights(np.array([1, 2, 3, 9]), looked).tolist() == [1, 2, 10, 10]
    assert click_weights(np.array([3]), looked, most=50).tolist() == [25]


def test_attraction_by_hand() -> None:
    """Document 0 at rank 1 three times, taken twice; 1 at rank 2 (half as often looked at) twice, taken once."""
    documents, ranks = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 1, 2, 2])
    taken = np.array([True, True, False, True, False])
    found = attractions(documents, ranks, taken, np.array([1.0, 0.5]), 3, strength=2.0)
    average = 3 / 4
    expected = [np.log((2 + 2) / (3 * average + 2)), np.log((1 + 2) / (1 * average + 2)), 0.0]
    assert found.tolist() == pytest.approx(expected)


def test_attraction_knows_merit_from_place_and_plain_rates_do_not() -> None:
    """Two equally good documents, one always first, the other always fifth."""
    rng = np.random.default_rng(2)
    documents, ranks = np.tile([0, 1], 4000), np.tile([1, 5], 4000)
    looked = PositionBased().examination(5)
    taken = rng.random(8000) < 0.5 * looked[ranks - 1]
    true = attractions(documents, ranks, taken, looked, 2)
    plain = attractions(documents, ranks, taken, np.ones(5), 2)
    assert abs(true[0] - true[1]) < 0.15
    assert plain[0] - plain[1] > 1.0


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(np.random.default_rng(5), queries=120, documents=60, held=40)


def test_a_world_is_as_described(world: World) -> None:
    assert (np.sort(world.grades, axis=1)[:, ::-1][:, :8] == [3, 2, 2, 1, 1, 1, 1, 0]).all()
    assert all(len(set(row)) == len(row) for row in world.documents.tolist())
    assert not set(world.taught.tolist()) & set(world.held.tolist())
    assert 0.1 < np.corrcoef(world.first.ravel(), world.grades.ravel())[0, 1] < 0.45


def test_figures_of_known_orders(world: World) -> None:
    assert ndcg(world, world.grades.astype(np.float64)) == pytest.approx(1.0)
    assert inertia(world, world.first) == 1.0
    assert inertia(world, -world.first) == 0.0
    noise = np.random.default_rng(1).standard_normal(world.grades.shape)
    assert inertia(world, noise) == pytest.approx(0.5, abs=0.05)


def test_rounds_are_a_function_of_the_seed(world: World) -> None:
    once = rounds(world, PositionBased(), "debiased", "pairs", 1, 600, 3)
    assert [one.ndcg for one in once] == [
        one.ndcg for one in rounds(world, PositionBased(), "debiased", "pairs", 1, 600, 3)
    ]
    assert once[0].ndcg == ndcg(world, world.first)


def test_weighed_clicks_raise_ndcg_and_do_not_lock_in_the_bias() -> None:
    found = list(courses(4, 2, 1200, 3, lambda step, done, total: None))
    by_key = {(one.users, one.use, one.kind): one for one in found}
    for users in ("position-based", "cascade"):
        naive, weighed = by_key[users, "pairs", "naive"], by_key[users, "pairs", "debiased"]
        known = by_key[users, "pairs", "knowing"]
        # What ranks of old leave behind among equals: more than in a ranker that knows the grades, or not.
        assert naive.inertia[:, -1].mean() > known.inertia[:, -1].mean() + 0.05
        assert weighed.inertia[:, -1].mean() == pytest.approx(known.inertia[:, -1].mean(), abs=0.05)
        assert weighed.ndcg[:, -1].mean() == pytest.approx(known.ndcg[:, -1].mean(), abs=0.02)
    told = {(one.users, one.use, one.over): one for one in gains(found, 3)}
    assert all(told[users, use, "none"].low > 0 for users, use, _ in told)
    assert all(told[users, "pairs", "naive"].low > 0 for users, _, _ in told)


def test_the_command_draws_and_tells(tmp_path: Path) -> None:
    picture = tmp_path / "loop.png"
    words = ["bench", "feedback-loop", "--worlds", "2", "--rounds", "1", "--searches", "300", "--json"]
    done = CliRunner().invoke(app, [*words, "--picture", str(picture)])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert len(told["courses"]) == 14
    assert len(told["gains"]) == 8
    assert picture.read_bytes().startswith(b"\x89PNG")
