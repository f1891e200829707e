"""Estimators against values worked out in full, and against simulated policies whose worth is known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.replay.decisions import Decisions, ReplayError, plain
from evaluation.replay.estimators import Foretold, estimates
from evaluation.replay.rewards import cross_fitted, shrunken

LOGGING = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]])
TARGET = np.array([[0.2, 0.2, 0.6], [0.7, 0.1, 0.2]])
WORTH = np.array([[0.1, 0.5, 0.3], [0.9, 0.2, 0.4]])
TRUTH = float((TARGET * WORTH).sum(axis=1).mean())


def simulated(shows: int, seed: int, per_unit: int = 1) -> Decisions:
    """Contexts by coin; every unit has its own taste, so that its rows are alike."""
    rng = np.random.default_rng(seed)
    units = np.repeat(np.arange(shows // per_unit), per_unit)
    contexts = rng.integers(0, 2, shows)
    actions = (rng.random(shows)[:, None] > LOGGING[contexts].cumsum(axis=1)[:, :-1]).sum(axis=1)
    taste = rng.random(shows // per_unit)[units] if per_unit > 1 else rng.random(shows)
    rewards = (taste < WORTH[contexts, actions]).astype(np.float64)
    chances = LOGGING[contexts, actions]
    return plain(rewards, chances, TARGET[contexts, actions], contexts=contexts, actions=actions, units=units)


def by_name(decisions: Decisions, foretold: Foretold | None = None, cap: float | None = None):
    found = estimates(decisions, np.random.default_rng(5), foretold, cap, resamples=400)
    return {one.name: one for one in found}


def enumerated() -> Decisions:
    """One row for every context, action and reward, weighted by repetition as often as the world brings it."""
    rows = []
    for context, action in product(range(2), range(3)):
        times = round(1000 * LOGGING[context, action])
        won = round(times * WORTH[context, action])
        rows += [(context, action, 1.0)] * won + [(context, action, 0.0)] * (times - won)
    contexts, actions, rewards = (np.array(column) for column in zip(*rows, strict=True))
    return plain(
        rewards.astype(np.float64), LOGGING[contexts, actions], TARGET[contexts, actions],
        contexts=contexts, actions=actions,
    )  # fmt: skip


def test_all_estimators_are_exact_on_a_log_that_holds_every_event_as_often_as_it_happens():
    decisions = enumerated()
    found = by_name(decisions, cross_fitted(decisions, TARGET, np.random.default_rng(1)))
    for name in ("ips", "snips", "clipped"):
        assert found[name].value == pytest.approx(TRUTH, abs=1e-12)
    # Folds leave a fifth of the events out, so the model is not exact; dr mends what it misses but for that.
    assert found["dr"].value == pytest.approx(TRUTH, abs=5e-3)


def test_dr_is_right_when_either_the_chances_or_the_model_are():
    decisions = enumerated()
    perfect = Foretold(
        WORTH[decisions.contexts, decisions.actions], (TARGET * WORTH).sum(axis=1)[decisions.contexts]
    )
    useless = Foretold(np.full(2000, 0.123), np.full(2000, 0.123))
    wrong = plain(
        decisions.rewards, np.full(2000, 1 / 3), decisions.target,
        contexts=decisions.contexts, actions=decisions.actions,
    )  # fmt: skip
    assert by_name(decisions, useless)["dr"].value == pytest.approx(TRUTH, abs=1e-12)
    assert by_name(wrong, perfect)["dr"].value == pytest.approx(TRUTH, abs=1e-12)
    assert abs(by_name(wrong)["ips"].value - TRUTH) > 0.02


def test_values_of_five_rows_worked_out_by_hand():
    decisions = plain(
        np.array([1.0, 0.0, 1.0, 1.0, 0.0]),
        np.array([0.5, 0.5, 0.1, 0.25, 0.5]),
        np.array([0.5, 0.25, 0.6, 0.0, 0.5]),
    )  # weights 1, 0.5, 6, 0, 1
    foretold = Foretold(np.full(5, 0.4), np.array([0.2, 0.2, 0.8, 0.2, 0.2]))
    found = by_name(decisions, foretold, cap=2.0)
    assert found["ips"].value == pytest.approx(7 / 5)
    assert found["snips"].value == pytest.approx(7 / 8.5)
    assert found["clipped"].value == pytest.approx(3 / 5)
    assert "0.8 places a search" in found["clipped"].note
    correction = 1 * 0.6 + 0.5 * -0.4 + 6 * 0.6 + 0 + 1 * -0.4
    assert found["dr"].value == pytest.approx((1.6 + correction) / 5)
    assert found["switch"].value == pytest.approx((1.6 + correction - 6 * 0.6) / 5)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """150 logs of 600 rows: 95 % intervals miss 7.5 on average; more than 18 would come once in a thousand."""
    misses = dict.fromkeys(("ips", "snips", "dr"), 0)
    for seed in range(150):
        decisions = simulated(600, seed)
        found = by_name(decisions, cross_fitted(decisions, TARGET, np.random.default_rng(seed)))
        for name in misses:
            misses[name] += not found[name].low <= TRUTH <= found[name].high
    assert max(misses.values()) <= 18
    assert min(misses.values()) >= 1


def test_intervals_over_units_are_wider_when_the_rows_of_a_unit_are_alike():
    decisions = simulated(2000, seed=3, per_unit=20)
    alone = plain(decisions.rewards, decisions.propensities, decisions.target)
    clustered, loose = by_name(decisions)["ips"], by_name(alone)["ips"]
    assert clustered.value == pytest.approx(loose.value)
    assert clustered.high - clustered.low > 1.3 * (loose.high - loose.low)


def test_a_lift_is_the_difference_from_what_was_served_over_the_same_units():
    """Asked about itself a policy gains exactly nothing, whatever the noise; asked about another, by hand."""
    decisions = simulated(800, seed=4, per_unit=4)
    own = plain(decisions.rewards, decisions.propensities, decisions.propensities, units=decisions.units)
    itself = by_name(own)["ips"].lift
    assert (itself.value, itself.low, itself.high) == (0.0, 0.0, 0.0)
    lift = by_name(decisions)["ips"].lift
    change = (decisions.weights - 1) * decisions.rewards
    assert lift.value == pytest.approx(change.mean())
    by_unit = change.reshape(-1, 4).mean(axis=1)
    half = 1.96 * by_unit.std() / np.sqrt(len(by_unit))
    assert lift.low == pytest.approx(change.mean() - half, abs=0.25 * half)
    assert lift.high == pytest.approx(change.mean() + half, abs=0.25 * half)


def test_the_value_of_a_search_is_the_sum_over_its_places():
    """Two places a search: place 0 is always as the other policy has it, place 1 half the time."""
    decisions = Decisions(
        rewards=np.array([1.0, 1.0, 0.0, 0.0]), propensities=np.array([1.0, 0.5, 1.0, 0.5]),
        target=np.array([1.0, 1.0, 1.0, 0.0]), searches=np.array([7, 7, 9, 9]), units=np.array([1, 1, 2, 2]),
        places=np.array([0, 1, 0, 1]), contexts=np.zeros(4, np.int64), actions=np.zeros(4, np.int64),
    )  # fmt: skip
    found = by_name(decisions)
    assert found["ips"].value == pytest.approx((1 + 2) / 2)
    # Normalised by place: 1/2 at place 0 and 2/2 at place 1.
    assert found["snips"].value == pytest.approx(0.5 + 1.0)


@given(st.integers(0, 2**32), st.floats(0.0, 500.0))
def test_the_model_shrinks_between_the_action_and_the_cell(seed: int, strength: float):
    rng = np.random.default_rng(seed)
    contexts, actions, rewards = rng.integers(0, 2, 40), rng.integers(0, 3, 40), rng.random(40)
    model = shrunken(contexts, actions, rewards, (2, 3), strength + 1e-9)
    for context, action in product(range(2), range(3)):
        own = rewards[(contexts == context) & (actions == action)]
        of_action = rewards[actions == action]
        of_action = (of_action.sum() + strength * rewards.mean()) / (len(of_action) + strength + 1e-9)
        bounds = [of_action, *([own.mean()] if len(own) else [])]
        assert min(bounds) - 1e-6 <= model[context, action] <= max(bounds) + 1e-6


def test_a_unit_never_teaches_the_model_that_speaks_of_it():
    """Every unit has an action of its own: what is foretold of it can only be what the others show."""
    rewards = np.array([1.0] * 10 + [0.0] * 30)
    own = np.arange(40)
    decisions = plain(rewards, np.full(40, 0.5), np.full(40, 0.5), actions=own, units=own)
    foretold = cross_fitted(decisions, np.full((1, 40), 1 / 40), np.random.default_rng(2), strength=1.0)
    assert np.corrcoef(foretold.logged, rewards)[0, 1] < 0  # the held-out ones lower the others' mean


@pytest.mark.parametrize("chance", [0.0, -0.1, 1.5, float("nan")])
def test_a_chance_that_is_none_is_refused(chance: float):
    with pytest.raises(ReplayError, match="propensity"):
        plain(np.ones(2), np.array([0.5, chance]), np.ones(2))
