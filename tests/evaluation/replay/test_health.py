"""When a log is refused: too few rows that count, no overlap, chances that were not the ones used."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.replay.consistency import contradiction
from evaluation.replay.decisions import Decisions, plain
from evaluation.replay.health import effective_size, examine


def shown(chances: np.ndarray, rows: int, seed: int, told: np.ndarray | None = None) -> Decisions:
    """A log over contexts (X, A) of `chances`, that says it used `told`; rewards by coin."""
    rng = np.random.default_rng(seed)
    contexts = rng.integers(0, len(chances), rows)
    actions = (rng.random(rows)[:, None] > chances[contexts].cumsum(axis=1)[:, :-1]).sum(axis=1)
    told = chances if told is None else told
    return plain(
        rng.integers(0, 2, rows).astype(np.float64), told[contexts, actions], told[contexts, actions],
        contexts=contexts, actions=actions,
    )  # fmt: skip


def asked(decisions: Decisions, table: np.ndarray) -> Decisions:
    return plain(
        decisions.rewards, decisions.propensities, table[decisions.contexts, decisions.actions],
        contexts=decisions.contexts, actions=decisions.actions,
    )  # fmt: skip


EVEN = np.full((2, 4), 0.25)
UNEVEN = np.array([[0.7, 0.1, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1]])


def test_the_effective_size_is_that_of_kish():
    assert effective_size(np.ones(50)) == pytest.approx(50)
    assert effective_size(np.array([1.0, 1.0, 0.0, 0.0])) == pytest.approx(2)
    assert effective_size(np.array([3.0, 1.0])) == pytest.approx(16 / 10)
    assert effective_size(np.zeros(3)) == 0


def test_a_sound_log_is_answered():
    health = examine(asked(shown(EVEN, 5000, 1), UNEVEN), np.random.default_rng(1))
    assert health.refusal is None
    assert health.mean_weight_ci[0] < 1 < health.mean_weight_ci[1]


def test_the_effective_size_collapses_where_a_rare_action_decides():
    rare = np.array([[0.998, 0.002], [0.998, 0.002]])
    health = examine(
        asked(shown(rare, 5000, 1), np.array([[0.1, 0.9], [0.1, 0.9]])), np.random.default_rng(1)
    )
    assert health.refusal is not None
    assert "effective sample size" in health.refusal


def test_what_the_log_never_does_is_seen_by_the_mean_weight():
    never = np.array([[0.5, 0.5, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])
    health = examine(asked(shown(never, 5000, 1), EVEN), np.random.default_rng(1))
    assert health.mean_weight == pytest.approx(0.5, abs=0.02)
    assert health.refusal is not None
    assert "no overlap: about 50%" in health.refusal


def test_a_policy_that_does_nothing_of_the_log_is_refused():
    decisions = plain(np.ones(500), np.full(500, 0.5), np.zeros(500))
    health = examine(decisions, np.random.default_rng(1))
    assert health.refusal == "no overlap: the other system puts nothing where the log has it"


def test_a_log_without_a_reward_is_refused_and_one_with_few_warned_of():
    silent = plain(np.zeros(500), np.ones(500), np.ones(500))
    assert "nothing was rewarded" in str(examine(silent, np.random.default_rng(1)).refusal)
    few = plain(np.array([1.0] * 3 + [0.0] * 497), np.ones(500), np.ones(500))
    health = examine(few, np.random.default_rng(1))
    assert health.refusal is None
    assert any("only 3 rows were rewarded" in warning for warning in health.warnings)


def test_true_chances_are_hardly_ever_contradicted():
    assert sum(contradiction(shown(UNEVEN, 2000, seed)) is not None for seed in range(200)) <= 1


@pytest.mark.parametrize(
    ("told", "word"),
    [
        pytest.param(EVEN, "not shown as often", id="even chances claimed, uneven ones used"),
        pytest.param(UNEVEN * 1.2, "sum to 1.2", id="more than certain"),
        pytest.param(UNEVEN * 0.5, "1 / chance", id="half of what was used"),
    ],
)
def test_chances_that_were_not_used_are_contradicted(told: np.ndarray, word: str):
    wrong = shown(UNEVEN, 4000, 3, told)
    assert word in str(contradiction(wrong))
    assert "contradict" in str(examine(wrong, np.random.default_rng(1)).refusal)


def test_varying_chances_that_are_too_small_are_contradicted_and_true_ones_not():
    """No chance comes twice, so counts cannot be tested; the mean of 1 / chance can."""
    for factor, wrong in ((1.0, False), (0.6, True)):
        rng = np.random.default_rng(8)
        first = rng.uniform(0.2, 0.8, 4000)
        action = (rng.random(4000) > first).astype(np.int64)
        chance = np.where(action == 0, first, 1 - first) * factor
        found = contradiction(plain(np.ones(4000), chance, chance, actions=action))
        assert (found is not None) is wrong
