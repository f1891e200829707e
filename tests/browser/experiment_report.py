"""Reports as the service sends them, made from a few figures: what the page of experiments is tried on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

BEGUN = datetime(2026, 9, 10, tzinfo=UTC)
DAYS = 20
EFFECTS = {
    "click_mrr@5": (0.3412, 0.0287, 0.0042, 0.02, 1),
    "ctr@1": (0.2480, 0.0213, 0.0047, 0.02, 1),
    "ctr@5": (0.5120, 0.0141, 0.0049, 0.02, 1),
    "zero_click": (0.4310, -0.0122, 0.0049, 0.02, -1),
    "zero_result": (0.0213, 0.0004, 0.0015, 0.01, -1),
    "refined": (0.1720, -0.0031, 0.0038, 0.02, -1),
    "dwell_ms": (48_300.0, 900.0, 610.0, 5_000.0, 1),
    "latency_ms": (61.2, 14.8, 0.9, 20.0, -1),
}
"""By metric: control's mean, the difference, its standard error, the effect of interest, which way is better."""


def comparison(arm: str, control: float, delta: float, error: float, **more: Any) -> dict[str, Any]:
    """One difference from control with both its intervals."""
    return {
        "arm": arm,
        "delta": delta,
        "lift": delta / control,
        "ci": [delta - 1.96 * error, delta + 1.96 * error],
        "always_ci": [delta - 2.9 * error, delta + 2.9 * error],
        "always_p": 0.0004 if abs(delta) > 4 * error else 0.31,
        "cuped": True,
        **more,
    }


def looks(delta: float, error: float) -> list[dict[str, Any]]:
    """A look a day, ever narrower, that ends at the difference."""
    found = []
    for day in range(1, DAYS + 1):
        wide = 3.1 * error * (DAYS / day) ** 0.5
        at = delta + (0.9 if day % 3 else -1.1) * error * ((DAYS - day) / day) ** 0.5
        found.append(
            {
                "at": (BEGUN + timedelta(days=day)).isoformat(),
                "delta": at,
                "always_ci": [at - wide, at + wide],
            }
        )
    return found


def metric(name: str, arms: tuple[str, ...]) -> dict[str, Any]:
    """One metric of all arms; each further arm does a third of what the one before it does."""
    control, delta, error, effect, better = EFFECTS[name]
    means, comparisons = {arms[0]: {"value": control, "ci": None, "searches": 41_900}}, []
    for place, arm in enumerate(arms[1:]):
        moved = delta / 3**place
        means[arm] = {"value": control + moved, "ci": None, "searches": 42_100}
        more = {"looks": looks(moved, error)} if name == "click_mrr@5" else {}
        comparisons.append(comparison(arm, control, moved, error, **more))
    return {"name": name, "better": better, "effect": effect, "arms": means, "comparisons": comparisons}


def report(key: str = "deeper", arms: tuple[str, ...] = ("control", "deep"), **more: Any) -> dict[str, Any]:
    """A report in which the first treatment is better, everything is as planned and no guardrail is broken."""
    share = 1 / len(arms)
    units = [9_312 + 57 * place for place in range(len(arms))]
    return {
        "key": key,
        "version": 1,
        "as_of": "2026-10-01T11:58:00+00:00",
        "begun_at": BEGUN.isoformat(),
        "ended_at": None,
        "days": float(DAYS),
        "alpha": 0.05,
        "primary": "click_mrr@5",
        "control": arms[0],
        "searches": 42_000 * len(arms),
        "units": sum(units),
        "crossed_units": 3,
        "arms": [
            {"name": arm, "share": share, "units": count, "searches": 42_000 + 31 * place}
            for place, (arm, count) in enumerate(zip(arms, units, strict=True))
        ],
        "daily": [
            {
                "day": (BEGUN + timedelta(days=day)).date().isoformat(),
                "units": [round(940 / (1 + day / 4)) + 3 * place for place in range(len(arms))],
            }
            for day in range(DAYS)
        ],
        "ratio": {"p": 0.68, "always_p": 1.0, "mismatch": False, "sure": False},
        "metrics": [metric(name, arms) for name in EFFECTS],
        "guardrails": [
            guardrail("p95 latency_ms", "latency_ms", arms[1], 50.0, 21.0, 6.0),
            guardrail("error", "error", arms[1], 0.005, 0.0001, 0.0006),
            guardrail("zero_result", "zero_result", arms[1], 0.01, 0.0004, 0.0015),
        ],
        "slices": [
            {
                "tag": "lang",
                "value": language,
                "metric": "click_mrr@5",
                "better": 1,
                "effect": 0.02,
                "searches": searches,
                **comparison(arms[1], 0.34, delta, error),
            }
            for language, searches, delta, error in (
                ("en", 51_204, 0.031, 0.0052),
                ("zh", 24_117, 0.024, 0.0081),
                ("de", 8_741, 0.012, 0.0139),
            )
        ],
        "verdict": {
            "kind": "better",
            "arm": arms[1],
            "sentence": f"{arms[1]} raises click_mrr@5 by 0.029, at least by 0.016 however often one looks, and "
            "breaks no guardrail.",
            "change": "A mismatch of the split, or a guardrail that breaks as more searches come in.",
            "needed_units": 15_100,
            "needed_days": 0,
        },
        **more,
    }


def guardrail(
    name: str, of: str, arm: str, tolerance: float, delta: float, error: float, state: str = "holds"
) -> dict[str, Any]:
    """One harm that is watched in one arm."""
    span = [delta - 2.9 * error, delta + 2.9 * error]
    return {
        **{"name": name, "metric": of, "arm": arm, "tolerance": tolerance},
        **{"delta": delta, "always_ci": span, "state": state},
    }


def mismatched() -> dict[str, Any]:
    """The same figures with a split that cannot be chance: no verdict."""
    found = report()
    found["arms"][1]["units"] = 8_402
    found["units"] = 9_312 + 8_402
    found["ratio"] = {"p": 8.1e-12, "always_p": 3.4e-9, "mismatch": True, "sure": True}
    found["verdict"] = {
        "kind": "blocked",
        "arm": None,
        "sentence": "deep has 8,402 units where 8,857 were expected: no lift of this experiment can be trusted.",
        "change": "The reason for the lost units, and a new version without it.",
    }
    return found


def early() -> dict[str, Any]:
    """A first morning: a handful of searches, nothing known for sure, many figures missing."""
    found = report()
    found |= {"units": 41, "searches": 60, "crossed_units": 0, "daily": [], "slices": []}
    found["arms"] = [
        {"name": "control", "share": 0.5, "units": 22, "searches": 33},
        {"name": "deep", "share": 0.5, "units": 19, "searches": 27},
    ]
    found["ratio"] = {"p": None, "always_p": None, "mismatch": False, "sure": False}
    for one in found["metrics"]:
        for other in one["comparisons"]:
            other |= {"always_ci": None, "always_p": None, "looks": [], "cuped": False}
    found["metrics"][6]["arms"] = {"control": {"value": None}, "deep": {"value": None}}
    found["metrics"][6]["comparisons"] = [{"arm": "deep", "delta": None, "ci": [None, None], "lift": None}]
    found["guardrails"] = [{**one, "state": "open", "always_ci": None} for one in found["guardrails"]]
    found["verdict"] = {
        "kind": "open",
        "arm": None,
        "sentence": "Too few units to say anything.",
        "change": "About 15,000 more units.",
        "needed_units": 15_100,
        "needed_days": 24,
    }
    return found
