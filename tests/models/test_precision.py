"""The ladder: what every policy keeps to on any signals, and what each signal alone does."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.health import DeviceReading
from models.ladder import REASONS, Agreement, Rules, Signals, State, begin, relaid
from models.precision import serves, step, waiting
from models.rung import RUNGS, Rung, depth_of

RULES = Rules()
SETTLED = Signals(grad_norm_std=0.01, qps_std=1.0)
GOOD, BAD = Agreement(0.97, 40), Agreement(0.7, 40)

maybe = st.none() | st.floats(0, 60)
agreements = st.dictionaries(
    st.sampled_from(RUNGS), st.builds(Agreement, st.floats(0, 1), st.integers(0, 60)), max_size=3
)
devices = st.none() | st.builds(
    DeviceReading, st.none() | st.floats(20, 110), st.integers(0, 3), st.integers(0, 2)
)
signals = st.builds(
    Signals,
    grad_norm_std=st.none() | st.floats(0, 0.1),
    qps_std=maybe,
    queue_delay_ms=st.none() | st.floats(0, 300),
    budget_misses=st.none() | st.floats(0, 0.1),
    agreement=agreements,
    device=devices,
    pin=st.sampled_from([None, None, None, *RUNGS]),
)
ladders = st.sampled_from([("fp16", "int8", "int4"), ("fp16", "int8"), ("fp16", "int4"), ("fp16",)])
rules = st.builds(
    Rules,
    policy=st.sampled_from(["stable", "pressure"]),
    floor=st.sampled_from(RUNGS),
    down_after_s=st.floats(0, 40),
    up_after_s=st.floats(0, 40),
    dwell_s=st.floats(0, 90),
    quarantine_s=st.floats(1, 200),
    samples=st.integers(1, 40),
)
logs = st.lists(st.tuples(st.floats(0, 40), signals), max_size=60)


def replay(state: State, log: list[tuple[float, Signals]]) -> list[State]:
    now, states = state.at, [state]
    for passed, seen in log:
        now += passed
        states.append(step(states[-1], seen, now))
    return states


def held(state: State, seen: Signals, seconds: float, every: float = 1.0) -> State:
    """The state after the same signals for so long."""
    end = state.at + seconds
    while state.at < end:
        state = step(state, seen, state.at + every)
    return state


@given(rules, ladders, logs)
def test_whatever_is_seen_it_moves_by_one_rung_and_never_below_the_floor(rules, rungs, log) -> None:
    for before, after in pairwise(replay(begin(rules, rungs, 0.0), log)):
        assert after.rung in rungs
        assert depth_of(after.rung) <= depth_of(rules.floor)
        assert after.reason in REASONS
        between = {r for r in rungs if min(depth_of(before.rung), depth_of(after.rung)) < depth_of(r)}
        between = {r for r in between if depth_of(r) < max(depth_of(before.rung), depth_of(after.rung))}
        absent = {q.rung for q in after.quarantines if not q.lifted}
        assert between <= absent  # a rung is skipped only where it may not serve
        assert (after.switches - before.switches) == (after.rung != before.rung)


@given(rules, ladders, logs)
def test_a_policy_waits_for_its_dwell(rules, rungs, log) -> None:
    for before, after in pairwise(replay(begin(rules, rungs, 0.0), log)):
        if after.rung != before.rung and after.reason in (
            "settled",
            "gradient",
            "traffic",
            "pressure",
            "calm",
        ):
            assert after.at - before.switched_at >= rules.dwell_s
            assert before.bearing is None or after.bearing is None


@given(rules, ladders, logs)
def test_a_log_gives_the_same_switches_again(rules, rungs, log) -> None:
    assert replay(begin(rules, rungs, 0.0), log) == replay(begin(rules, rungs, 0.0), log)


@given(rules, ladders, signals, st.floats(1, 30))
def test_under_signals_that_stay_it_comes_to_rest(rules, rungs, seen, every) -> None:
    seen = replace(seen, device=None, agreement={}, pin=None)
    states = replay(begin(rules, rungs, 0.0), [(every, seen)] * 400)
    assert states[-1].switches <= len(rungs) - 1
    assert states[-1].rung == states[len(states) // 2].rung or every * 200 < 2 * (rules.dwell_s + 40)


@given(rules, ladders, logs, st.sampled_from(RUNGS))
def test_the_pin_wins(rules, rungs, log, pin) -> None:
    state = replay(begin(rules, rungs, 0.0), log)[-1]
    pinned = [(0.1, replace(seen, pin=pin)) for _, seen in log] + [(0.1, Signals(pin=pin))] * 3
    end = replay(state, pinned)[-1]
    if pin in rungs:
        wanted = min(depth_of(pin), depth_of(rules.floor))
        assert end.rung == next(r for r in reversed(rungs) if depth_of(r) <= wanted)
    else:
        assert end.pin is None


@given(st.lists(st.floats(0.03, 0.0344), min_size=1, max_size=80), st.floats(12.5, 14.3))
def test_in_the_band_between_two_thresholds_nothing_moves(stds, qps_std) -> None:
    for begun in RUNGS:
        state = replace(begin(RULES, RUNGS, 0.0), rung=begun)
        log = [(20.0, Signals(grad_norm_std=std, qps_std=qps_std)) for std in stds]
        assert replay(state, log)[-1].rung == begun


@given(st.lists(st.booleans(), min_size=5, max_size=200))
def test_it_does_not_flap_however_fast_the_signals_change(coin) -> None:
    log = [(1.0, SETTLED if side else Signals(grad_norm_std=0.2, qps_std=1.0)) for side in coin]
    states = replay(begin(RULES, RUNGS, 0.0), log)
    assert states[-1].switches <= len(log) / RULES.dwell_s + 1


@pytest.mark.parametrize(
    ("seen", "direction"),
    [
        (SETTLED, 1),
        (Signals(grad_norm_std=0.0299, qps_std=12.49), 1),
        (Signals(grad_norm_std=0.0301, qps_std=1.0), 0),
        (Signals(grad_norm_std=0.04, qps_std=1.0), -1),
        (Signals(grad_norm_std=0.01, qps_std=15.0), -1),
        (Signals(qps_std=1.0), 0),
        (Signals(grad_norm_std=0.01), 0),
        (Signals(), 0),
    ],
)
def test_the_stable_policy(seen, direction) -> None:
    middle = replace(begin(RULES, RUNGS, 0.0), rung="int8")
    assert depth_of(held(middle, seen, 65).rung) == 1 + direction


@pytest.mark.parametrize(
    ("seen", "direction"),
    [
        (Signals(queue_delay_ms=150.0), 1),
        (Signals(queue_delay_ms=5.0, budget_misses=0.05), 1),
        (Signals(budget_misses=0.05), 1),
        (Signals(queue_delay_ms=5.0, budget_misses=0.0), -1),
        (Signals(queue_delay_ms=5.0, budget_misses=0.01), 0),
        (Signals(queue_delay_ms=50.0), 0),
        (Signals(), 0),
    ],
)
def test_the_pressure_policy(seen, direction) -> None:
    middle = replace(begin(Rules(policy="pressure"), RUNGS, 0.0), rung="int8")
    assert depth_of(held(middle, seen, 65).rung) == 1 + direction


def test_a_rung_that_ranks_otherwise_is_left_at_once_and_comes_back_only_when_it_agrees_again() -> None:
    state = held(begin(RULES, RUNGS, 0.0), SETTLED, 200)
    assert state.rung == "int4"
    state = step(state, replace(SETTLED, agreement={"int4": BAD}), state.at + 1)
    assert (state.rung, state.reason) == ("int8", "quality")
    assert state.quarantine("int4") is not None
    still_bad = held(state, replace(SETTLED, agreement={"int4": BAD, "int8": GOOD}), 2000, every=10)
    assert still_bad.rung == "int8"
    too_soon = held(state, replace(SETTLED, agreement={"int4": GOOD}), 800, every=10)
    assert too_soon.rung == "int8"
    back = held(state, replace(SETTLED, agreement={"int4": GOOD}), 1100, every=10)
    assert back.rung == "int4"
    again = step(back, replace(SETTLED, agreement={"int4": BAD}), back.at + 1)
    assert again.quarantine("int4").strikes == 2
    assert again.quarantine("int4").until(RULES) - again.at == 2 * RULES.quarantine_s


def test_too_few_comparisons_prove_nothing() -> None:
    state = held(begin(RULES, RUNGS, 0.0), SETTLED, 70)
    few = replace(SETTLED, agreement={"int8": Agreement(0.1, RULES.samples - 1)})
    assert step(state, few, state.at + 1).rung == "int8"


def test_a_hot_device_takes_the_ladder_to_the_last_good_rung_until_it_has_cooled() -> None:
    cool, hot, warm = (DeviceReading(t) for t in (60.0, 95.0, 90.0))
    seen = replace(SETTLED, device=cool, agreement={"int8": GOOD})
    state = held(begin(RULES, RUNGS, 0.0), seen, 70)
    assert (state.rung, state.good) == ("int8", "int8")
    state = held(state, seen, 70)
    assert (state.rung, state.good) == ("int4", "int8")
    state = step(state, replace(seen, device=hot), state.at + 1)
    assert (state.rung, state.reason, state.health.health) == ("int8", "health", "hot")
    assert held(state, replace(seen, device=hot), 500, every=5).rung == "int8"
    assert held(state, replace(seen, device=warm), 500, every=5).rung == "int8"
    assert held(state, seen, 100).rung == "int4"


def test_below_95_degrees_a_device_is_not_hot() -> None:
    seen = replace(SETTLED, device=DeviceReading(94.9))
    assert held(begin(RULES, RUNGS, 0.0), seen, 200).rung == "int4"


def test_memory_errors_of_long_ago_are_no_news_and_new_ones_stop_the_quantising() -> None:
    old = replace(SETTLED, device=DeviceReading(60.0, ecc_errors=7))
    state = held(begin(RULES, RUNGS, 0.0), old, 200)
    assert state.rung == "int4"
    fresh = replace(SETTLED, device=DeviceReading(60.0, ecc_errors=8))
    state = held(state, fresh, 10)
    assert (state.rung, state.health.health) == ("fp16", "ecc")
    assert held(state, fresh, 500, every=5).rung == "fp16"
    assert held(state, fresh, 900, every=5).rung == "int4"


def test_a_reset_of_the_driver_asks_once_for_the_engines_to_be_loaded_again() -> None:
    state = held(begin(RULES, RUNGS, 0.0), replace(SETTLED, device=DeviceReading(60.0)), 10)
    state = held(state, replace(SETTLED, device=DeviceReading(60.0, resets=1)), 10)
    assert state.reloads == 1


def test_a_device_that_falls_silent_is_no_reason_to_move() -> None:
    state = held(begin(RULES, RUNGS, 0.0), replace(SETTLED, device=DeviceReading(60.0)), 70)
    assert held(state, SETTLED, 70).rung == "int4"


def test_a_clock_that_goes_back_stands_still() -> None:
    state = held(begin(RULES, RUNGS, 0.0), SETTLED, 50)
    back = step(state, SETTLED, state.at - 1000)
    assert back.at == state.at
    assert back.rung == state.rung


def test_a_hard_query_is_served_one_rung_higher_and_a_plan_has_its_own_floor() -> None:
    state = replace(begin(RULES, RUNGS, 0.0), rung="int4")
    assert serves(state) == "int4"
    assert serves(state, complexity=0.9) == "int8"
    assert serves(state, floor="int8") == "int8"
    assert serves(state, floor="int8", complexity=0.9) == "fp16"
    assert serves(state, floor="fp16", complexity=0.9) == "fp16"
    pinned = replace(state, pin="int4")
    assert serves(pinned, complexity=0.9) == "int4"
    assert serves(pinned, floor="int8") == "int8"


@given(rules, ladders, logs, st.sampled_from(RUNGS), st.floats(0, 1))
def test_no_search_is_served_below_its_floor(rules, rungs, log, floor: Rung, complexity) -> None:
    state = replay(begin(rules, rungs, 0.0), log)[-1]
    rung = serves(state, floor, complexity)
    assert depth_of(rung) <= max(depth_of(floor), 0)
    assert rung in rungs
    plain = serves(state, floor)
    assert depth_of(rung) <= depth_of(plain)


@given(rules, ladders, logs)
def test_it_can_always_say_what_it_waits_for(rules, rungs, log) -> None:
    state, now = begin(rules, rungs, 0.0), 0.0
    for passed, seen in log:
        now += passed
        state = step(state, seen, now)
        assert waiting(state, seen, now)


@pytest.mark.parametrize(
    "wrong",
    [
        {"release": 0.9},
        {"calm_delay_ms": 200.0},
        {"recovery": 0.5},
        {"samples": 0},
        {"dwell_s": -1.0},
        {"quarantine_s": 0.0},
    ],
)
def test_rules_that_contradict_themselves_are_refused(wrong) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong)) if "dwell_s" not in wrong else "times"):
        Rules(**wrong)


@pytest.mark.parametrize("wrong", [(), ("int8", "fp16"), ("fp16", "fp16")])
def test_a_ladder_has_rungs_in_order(wrong) -> None:
    with pytest.raises(ValueError, match="in order"):
        begin(RULES, wrong, 0.0)


@given(rules, ladders, ladders, logs)
def test_a_ladder_laid_anew_stays_where_it_stood_if_it_can(rules, rungs, others, log) -> None:
    before = replay(begin(rules, rungs, 0.0), log)[-1]
    after = relaid(before, others, before.at + 1)
    assert after.rung == (before.rung if before.rung in others else others[0])
    assert after.switches - before.switches == (after.rung != before.rung)
    assert {q.rung for q in after.quarantines} == {q.rung for q in before.quarantines} & set(others[1:])


def test_calm_that_a_lower_rung_brought_about_is_believed_ever_less() -> None:
    """Demand that the reference cannot meet and int8 can: without a memory the ladder would go up and down for ever."""
    rules = Rules(policy="pressure")
    state, moves = begin(rules, RUNGS, 0.0), []
    for now in range(1, 4 * 3600):
        delay = 500.0 if state.rung == "fp16" else 5.0
        after = step(state, Signals(queue_delay_ms=delay, budget_misses=0.0), float(now))
        if after.rung != state.rung:
            moves.append(now)
        state = after
    assert len(moves) < 30  # some 240 without it
    assert max(after - before for before, after in pairwise(moves)) > 10 * (moves[1] - moves[0])
    quiet = held(state, Signals(queue_delay_ms=1.0, budget_misses=0.0), 3600, every=5)
    assert quiet.rung == "fp16"
    again = held(quiet, Signals(queue_delay_ms=500.0), 120)
    assert again.setbacks == 0
