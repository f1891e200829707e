"""Whether reports of experiments can be believed: many simulated ones, of which the truth is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from evaluation.online.comparison import Comparison, compare, look_times
from evaluation.online.design import PRIMARY, SRM_ALPHA, Design
from evaluation.online.power import measured, plan, power_at
from evaluation.online.searches import DAY_S, Searches
from evaluation.online.simulation import World, simulate
from evaluation.online.srm import check_ratio

Progress = Callable[[str, int, int], None]
LIFT = 0.02
DAYS = 14
_AA_UNITS = 6_000
_LOG_UNITS = 40_000
_SRM_UNITS = 10_000
_SRM_SHARES = (0.95, 0.05)
_SPLITS_A_RUN = 20
"""Splits cost nothing, and one alarm in a thousand is counted ill on a thousand."""
_DESIGN = Design("simulated", 1, ("control", "treatment"), (0.5, 0.5), begun_at_s=0.0)


def bench_experiments(runs: int, seed: int, progress: Progress) -> dict[str, Any]:
    """Error rates and power over `runs` experiments of each kind, with a look at the end of each of 14 days."""
    rng = np.random.default_rng(seed)
    plain = _no_lift("A/A", World(_AA_UNITS, DAYS), runs, rng, progress)
    narrowed = _no_lift("A/A, with a time before", World(_AA_UNITS, DAYS, regulars=0.6), runs, rng, progress)
    power = _lifted(runs, rng, progress)
    ratio = _ratio(runs, rng)
    return {
        "what": "experiments",
        "runs": runs,
        "seed": seed,
        "looks": DAYS,
        "lift": LIFT,
        "no_lift": {"plain": plain, "with_time_before": narrowed},
        "power": power,
        "ratio": ratio,
        "met": {
            "false_positives": max(plain["always_valid"], narrowed["always_valid"]) <= 0.06,
            "power": all(abs(one["found"] - one["predicted"]) <= 0.05 for one in power["plans"].values()),
            "ratio_alarms": ratio["rung_when_off"] == 1.0 and ratio["rung_at_9300_700"],
            "ratio_silent": ratio["rung_when_right"] <= 0.002 and not ratio["rung_at_plan"],
        },
    }


def _no_lift(
    step: str, world: World, runs: int, rng: np.random.Generator, progress: Progress
) -> dict[str, Any]:
    """How often a difference is found where there is none."""
    always = ordinary_ever = ordinary_last = 0
    for run in range(runs):
        progress(step, run, runs)
        found = _compared(simulate(world, rng))
        always += found.always_p < _DESIGN.comparison_alpha
        sides = [_rejects_once(found, look) for look in range(len(found.looks))]
        ordinary_ever += any(sides)
        ordinary_last += sides[-1]
    progress(step, runs, runs)
    return {
        "units": world.units,
        "always_valid": always / runs,
        "ordinary_test_looked_at_daily": ordinary_ever / runs,
        "ordinary_test_at_the_end": ordinary_last / runs,
    }


def _lifted(runs: int, rng: np.random.Generator, progress: Progress) -> dict[str, Any]:
    """How often a true lift is found by as many units as were planned from a log of the time before."""
    log = simulate(World(_LOG_UNITS, DAYS), rng)
    variation = measured(log, PRIMARY)
    if variation is None:
        raise ValueError("a simulated log has units")
    planned = plan(variation, LIFT, (0.5, 0.5))
    plans = {}
    for name, units in (("one_look", planned.units), ("always_valid", planned.sequential_units)):
        step = f"lift of {LIFT:+g}, {name.replace('_', ' ')}"
        found = 0
        for run in range(runs):
            progress(step, run, runs)
            compared = _compared(simulate(World(units, DAYS, lift=LIFT), rng))
            if name == "one_look":
                found += compared.low > 0
            else:
                found += compared.always_p < _DESIGN.comparison_alpha and compared.delta > 0
        progress(step, runs, runs)
        plans[name] = {"units": units, "predicted": planned.power, "found": found / runs}
    return {
        "metric": PRIMARY,
        "spread": variation.spread,
        "one_look_at_the_longer_plan": power_at(planned.sequential_units, variation.spread, LIFT, 4.0),
        "plans": plans,
    }


def _ratio(runs: int, rng: np.random.Generator) -> dict[str, Any]:
    """How often the light of the split is red, at 95 : 5 planned."""
    splits = _SPLITS_A_RUN * runs

    def rung(share: float) -> float:
        small = rng.binomial(_SRM_UNITS, share, splits)
        checks = (check_ratio((_SRM_UNITS - int(n), int(n)), _SRM_SHARES) for n in small)
        return sum(check.mismatch for check in checks) / splits

    return {
        "splits": splits,
        "units": _SRM_UNITS,
        "level": SRM_ALPHA,
        "rung_when_off": rung(0.07),
        "rung_when_right": rung(0.05),
        "rung_at_9300_700": check_ratio((9_300, 700), _SRM_SHARES).mismatch,
        "rung_at_plan": check_ratio((9_500, 500), _SRM_SHARES).mismatch,
    }


def _compared(searches: Searches) -> Comparison:
    metric = _DESIGN.metric(PRIMARY)
    ends = look_times(_DESIGN, searches, DAYS * DAY_S)
    found = compare(searches, metric, 0, 1, ends, _DESIGN.alpha, _DESIGN.comparison_alpha)
    if found is None:
        raise ValueError("a simulated experiment has searches")
    return found


def _rejects_once(found: Comparison, look: int) -> bool:
    """Whether an ordinary test at that look alone would say "significant"."""
    one = found.looks[look]
    return abs(one.delta) > 1.959964 * one.error
