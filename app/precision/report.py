"""What is told of the ladder: where it stands, why, what it waits for, and how each rung did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from models.ladder import Signals, State
from models.precision import waiting
from models.rung import Rung
from models.selftest import Verdict

_TOLD = ("grad_norm", "grad_norm_std", "qps", "qps_std", "queue_delay_ms", "budget_misses", "latency_p99_ms")
_THRESHOLDS = (
    *("grad_norm_std", "qps_std", "release", "queue_delay_ms", "calm_delay_ms", "budget_misses", "hard"),
    *("down_after_s", "up_after_s", "dwell_s", "agreement", "recovery", "samples", "quarantine_s"),
)


def report(
    state: State, signals: Signals, verdicts: Sequence[Verdict], now: float, at: datetime
) -> dict[str, Any]:
    """The answer of `GET /v1/precision`. now: the ladder's clock, at: the same moment as an instant."""
    rules = asdict(state.rules)

    def instant(t: float) -> str:
        return (at + timedelta(seconds=t - now)).isoformat(timespec="seconds")

    return {
        "mode": "auto" if state.pin is None else "pin",
        "pin": state.pin,
        "policy": state.rules.policy,
        "floor": state.rules.floor,
        "rung": state.rung,
        "since": instant(state.switched_at),
        "reason": state.reason,
        "waiting": waiting(state, signals, now),
        "switches": state.switches,
        "health": state.health.health,
        "rungs": [_rung(one, state, signals, instant) for one in verdicts],
        "signals": {name: getattr(signals, name) for name in _TOLD}
        | {"temperature_c": signals.device.temperature_c if signals.device else None},
        "thresholds": {name: rules[name] for name in _THRESHOLDS},
    }


def _rung(verdict: Verdict, state: State, signals: Signals, instant: Any) -> Mapping[str, Any]:  # noqa: ANN401
    """One rung: how it did in the self-test, and how it agrees in service."""
    live = signals.agreement.get(verdict.rung)
    quarantine = state.quarantine(verdict.rung)
    return {
        "rung": verdict.rung,
        "on_ladder": verdict.on_ladder,
        "reason": verdict.why,
        "detail": verdict.detail,
        "usable": verdict.rung in state.usable,
        "top5_agreement": verdict.agreement,
        "order": verdict.order,
        "ms_per_pair": verdict.ms_per_pair,
        "gain": verdict.gain,
        "live_agreement": None if live is None else live.mean,
        "compared": 0 if live is None else live.count,
        "quarantined_until": None if quarantine is None else instant(quarantine.until(state.rules)),
        "strikes": 0 if quarantine is None else quarantine.strikes,
    }


def untested(rungs: Sequence[Rung]) -> tuple[Verdict, ...]:
    """What is known of rungs before their test."""
    return tuple(
        Verdict(rung, at == 0, "untested", "the self-test is not over yet") for at, rung in enumerate(rungs)
    )
