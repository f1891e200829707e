"""A report as plain JSON values: what the service sends, the page draws and the command prints."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from .comparison import Comparison
from .guard import Guarded
from .report import Report
from .slices import Slice
from .srm import RatioCheck

Plain = dict[str, Any]


def record(report: Report) -> Plain:
    """The report; what is not known, and an end that is infinite, is null."""
    design = report.design
    names = list(dict.fromkeys(one.metric.name for one in report.comparisons))
    return {
        "key": design.key,
        "version": design.version,
        "as_of": _instant(report.as_of_s),
        "begun_at": _instant(report.begun_at_s),
        "ended_at": None if design.ended_at_s is None else _instant(design.ended_at_s),
        "days": round(report.days, 3),
        "alpha": design.alpha,
        "comparison_alpha": design.comparison_alpha,
        "primary": design.primary,
        "control": design.arms[design.control],
        "searches": sum(report.searches),
        "units": sum(report.units),
        "crossed_units": report.crossed_units,
        "arms": [
            {"name": name, "share": share, "units": units, "searches": searches}
            for name, share, units, searches in zip(
                design.arms, design.shares, report.units, report.searches, strict=True
            )
        ],
        "daily": _daily(report),
        "ratio": _ratio(report.ratio),
        "metrics": [_metric(report, name) for name in names],
        "guardrails": [_guarded(report, one) for one in report.guarded],
        "slices": [_slice(report, one) for one in report.slices],
        "unevenness": [
            {
                **{"tag": one.tag, "arm": design.arms[one.arm], "slices": one.slices},
                **{"q": one.q, "p": one.p, "p_holm": one.p_holm},
            }
            for one in report.unevenness
        ],
        "plan": _plan(report),
        "verdict": {
            "kind": report.verdict.kind,
            "arm": report.verdict.arm,
            "sentence": report.verdict.sentence,
            "change": report.verdict.change,
            "needed_units": report.verdict.needed_units,
            "needed_days": report.verdict.needed_days,
        },
    }


def _daily(report: Report) -> list[Plain]:
    begun = datetime.fromtimestamp(report.begun_at_s, UTC)
    return [
        {"day": (begun + timedelta(days=day)).date().isoformat(), "units": [int(count) for count in counts]}
        for day, counts in enumerate(report.daily)
    ]


def _ratio(check: RatioCheck) -> Plain:
    return {
        "units": list(check.units),
        "expected": list(check.expected),
        "p": check.p,
        "always_p": check.always_p,
        "mismatch": check.mismatch,
        "sure": check.sure,
    }


def _metric(report: Report, name: str) -> Plain:
    own = [one for one in report.comparisons if one.metric.name == name]
    design, metric = report.design, own[0].metric
    values = {design.arms[design.control]: {"value": _finite(own[0].control)}}
    values |= {design.arms[one.arm]: {"value": _finite(one.treatment)} for one in own}
    return {
        "name": name,
        "words": metric.words,
        "better": metric.better,
        "effect": metric.effect,
        "arms": values,
        "comparisons": [_comparison(report, one, looks=name == design.primary) for one in own],
    }


def _comparison(report: Report, one: Comparison, *, looks: bool = False) -> Plain:
    found: Plain = {
        "arm": report.design.arms[one.arm],
        "delta": _finite(one.delta),
        "lift": _finite(one.lift),
        "ci": _span(one.low, one.high),
        "always_ci": _span(one.always_low, one.always_high),
        "always_p": one.always_p if one.settled else None,
        "cuped": one.cuped,
        "units": one.units,
        "searches": one.searches,
    }
    if looks:
        found["looks"] = [
            {"at": _instant(look.at_s), "delta": look.delta, "always_ci": _span(look.low, look.high)}
            for look in one.looks
        ]
    return found


def _guarded(report: Report, one: Guarded) -> Plain:
    return {
        "name": one.guardrail.name,
        "metric": one.guardrail.metric,
        "arm": report.design.arms[one.arm],
        "tolerance": one.guardrail.tolerance,
        "delta": _finite(one.delta),
        "always_ci": _span(one.low, one.high),
        "state": one.state,
    }


def _slice(report: Report, one: Slice) -> Plain:
    metric = one.comparison.metric
    return {
        **{"tag": one.tag, "value": one.value, "metric": metric.name, "better": metric.better},
        "effect": metric.effect,
        **_comparison(report, one.comparison),
    }


def _plan(report: Report) -> Plain | None:
    plan = report.plan
    if plan is None:
        return None
    return {
        **{"effect": plan.effect, "alpha": plan.alpha, "power": plan.power},
        **{"units": plan.units, "days": plan.days},
        **{"sequential_units": plan.sequential_units, "sequential_days": plan.sequential_days},
    }


def _span(low: float, high: float) -> list[float | None] | None:
    span = [_finite(low), _finite(high)]
    return None if span == [None, None] else span


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _instant(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")
