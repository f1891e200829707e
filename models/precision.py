"""The precision ladder as a pure function: what was seen → which rung serves from now on, and why.

    step(state, signals, now) → state

Nothing here reads a clock, an environment or a device, so a recorded log of signals gives the same switches again.

In order of weight: the operator's pin; the health of the device; agreement with the reference rung; then the policy.

    stable     the gradient and the traffic have settled → one rung down; one of them moves → one rung up
    pressure   searches wait, or miss their budget → one rung down; nobody waits → one rung up

A policy has to want the same for a while (hysteresis) and a rung is kept for a while (dwell). Every move is by one
rung of those that may serve, never below the floor, and carries a reason of a closed set.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from models.health import watch
from models.ladder import Bearing, Direction, Quarantine, Reason, Rules, Signals, State
from models.rung import Rung, depth_of, not_below

Waiting = Literal[
    "pinned",
    "health",
    "gradient-unknown",
    "traffic-unknown",
    "in-between",
    "lowest",
    "highest",
    "dwell",
    "hysteresis",
]

_MOST_SETBACKS = 8


def step(state: State, signals: Signals, now: float) -> State:
    """The state after `signals`; a clock that went back counts as one that stood still."""
    now = max(now, state.at)
    state = _observed(state, signals, now)
    wish = _wish(state, now)
    if wish is None:
        return state
    target, reason = wish
    rung = _towards(state, target)
    if rung == state.rung:
        return state
    return replace(
        state,
        rung=rung,
        reason=reason,
        switched_at=now,
        bearing=None,
        switches=state.switches + 1,
        setbacks=_setbacks(state, reason, now),
    )


def _observed(state: State, signals: Signals, now: float) -> State:
    """The state with everything noted that was seen; the rung is as it was."""
    rules = state.rules
    health = watch(state.health, signals.device, now, rules.health)
    seen = signals.agreement.get(state.rung)
    proven = state.rung == state.rungs[0] or (
        seen is not None and seen.count >= rules.samples and seen.mean >= rules.agreement
    )
    pin = signals.pin if signals.pin in state.rungs else None
    return replace(
        state,
        at=now,
        health=health,
        good=state.rung if proven and health.sound else state.good,
        reloads=state.reloads + (health.health == "reset"),
        quarantines=_quarantined(state, signals, now),
        pin=pin,
        bearing=_bearing(state, signals, now),
    )


def _quarantined(state: State, signals: Signals, now: float) -> tuple[Quarantine, ...]:
    """The quarantines after what was compared: the serving rung may enter, absent ones may come back."""
    rules = state.rules
    kept = []
    for one in state.quarantines:
        seen = signals.agreement.get(one.rung)
        again = seen is not None and seen.count >= rules.samples and seen.mean >= rules.recovery
        kept.append(
            replace(one, lifted=True) if not one.lifted and again and now >= one.until(rules) else one
        )
    seen = signals.agreement.get(state.rung)
    fails = seen is not None and seen.count >= rules.samples and seen.mean < rules.agreement
    if state.rung == state.rungs[0] or not fails or any(q.rung == state.rung and not q.lifted for q in kept):
        return tuple(kept)
    strikes = next((one.strikes for one in kept if one.rung == state.rung), 0)
    others = [one for one in kept if one.rung != state.rung]
    return (*others, Quarantine(state.rung, now, strikes + 1))


def _bearing(state: State, signals: Signals, now: float) -> Bearing | None:
    """Where the policy wants to go now; since when, if it wanted that before."""
    wanted = (_stable if state.rules.policy == "stable" else _pressure)(state.rules, signals)
    if wanted is None:
        return None
    direction, reason = wanted
    before = state.bearing
    since = before.since if before is not None and before.direction == direction else now
    return Bearing(direction, reason, since)


def _stable(rules: Rules, signals: Signals) -> tuple[Direction, Reason] | None:
    gradient, traffic = signals.grad_norm_std, signals.qps_std
    if gradient is not None and gradient >= rules.grad_norm_std * rules.release:
        return "up", "gradient"
    if traffic is not None and traffic >= rules.qps_std * rules.release:
        return "up", "traffic"
    if gradient is None or traffic is None:
        return None
    return ("down", "settled") if gradient < rules.grad_norm_std and traffic < rules.qps_std else None


def _pressure(rules: Rules, signals: Signals) -> tuple[Direction, Reason] | None:
    delay_ms, misses = signals.queue_delay_ms, signals.budget_misses or 0.0
    if misses >= rules.budget_misses or (delay_ms is not None and delay_ms >= rules.queue_delay_ms):
        return "down", "pressure"
    return ("up", "calm") if delay_ms is not None and delay_ms < rules.calm_delay_ms and not misses else None


def _wish(state: State, now: float) -> tuple[Rung, Reason] | None:
    """The rung that ought to serve and why, by whoever has most weight; None = the present one."""
    if depth_of(state.rung) > depth_of(state.rules.floor):
        return state.rules.floor, "floor"
    if state.pin is not None:
        return state.pin, "pin"
    if state.quarantine(state.rung):
        return state.rungs[0], "quality"
    if not state.health.sound:
        # Never down: where the good rung is the lower one, the reference is asked for.
        lower = depth_of(state.good) > depth_of(state.rung)
        return (state.rungs[0] if lower else state.good), "health"
    bearing, rules = state.bearing, state.rules
    if bearing is None or now - state.switched_at < rules.dwell_s:
        return None
    # A queue that is empty because of a lower rung says nothing of the higher one: who fell back waits longer.
    up_after_s = rules.up_after_s * 2.0**state.setbacks if bearing.reason == "calm" else rules.up_after_s
    if now - bearing.since < (rules.down_after_s if bearing.direction == "down" else up_after_s):
        return None
    return (state.rungs[-1] if bearing.direction == "down" else state.rungs[0]), bearing.reason


def _setbacks(state: State, reason: Reason, now: float) -> int:
    """The setbacks after a move: one more when pressure undoes what calm did, none when calm was right for a while."""
    if reason != "pressure" or state.reason != "calm":
        return state.setbacks
    soon = now - state.switched_at < state.rules.setback_s
    return min(state.setbacks + 1, _MOST_SETBACKS) if soon else 0


def _towards(state: State, target: Rung) -> Rung:
    """The next rung on the way from the present one to `target`, of those that may serve."""
    allowed = not_below(state.rungs, state.rules.floor) if state.pin is not None else state.usable
    here, there = depth_of(state.rung), depth_of(target)
    if there < here:
        way = [rung for rung in allowed if there <= depth_of(rung) < here]
        return way[-1] if way else (allowed[0] if depth_of(allowed[0]) < here else state.rung)
    way = [rung for rung in allowed if here < depth_of(rung) <= there]
    return way[0] if way else state.rung


def serves(state: State, floor: Rung = "int4", complexity: float = 0.0) -> Rung:
    """The rung on which one search is served: the ladder's, one higher for a hard query, never below `floor`.

    floor: of the search's plan. complexity: in [0, 1]. A pin is not raised for a hard query, but for a floor it is.
    """
    allowed = not_below(state.usable, floor) or state.rungs[:1]
    rung = state.rung
    if depth_of(rung) > depth_of(floor):
        rung = allowed[-1]
    if complexity < state.rules.hard or state.pin is not None:
        return rung
    higher = [one for one in allowed if depth_of(one) < depth_of(rung)]
    return higher[-1] if higher else rung


def waiting(state: State, signals: Signals, now: float) -> Waiting:
    """What keeps the ladder where it is."""
    if state.pin is not None:
        return "pinned"
    if not state.health.sound:
        return "health"
    if state.bearing is None:
        unknown = signals.grad_norm_std is None or signals.qps_std is None
        if state.rules.policy == "stable" and unknown:
            return "gradient-unknown" if signals.grad_norm_std is None else "traffic-unknown"
        return "in-between"
    end = state.usable[-1] if state.bearing.direction == "down" else state.usable[0]
    if state.rung == end:
        return "lowest" if state.bearing.direction == "down" else "highest"
    return "dwell" if now - state.switched_at < state.rules.dwell_s else "hysteresis"
