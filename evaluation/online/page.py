"""The report of an experiment as one HTML file: what to decide, why, and how sure; the same bytes each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from . import notation, reading
from .design import ALPHA, SRM_ALPHA
from .pictures import forest, over_time, traffic
from .reading import Difference, Metric, Plain

STATES = ("holds", "broken", "open")
HEADLINES = {
    "better": "{arm} is better",
    "worse": "{arm} is worse",
    "alike": "No difference that matters",
    "open": "Undecided so far",
    "blocked": "No verdict: the figures cannot be trusted",
    "stopped": "{arm} does harm: stop it",
}
_SIGNS = {
    "good": ("better", "holds"),
    "bad": ("worse", "broken", "blocked", "stopped", "void"),
    "even": ("alike", "little_better", "little_worse"),
}
_FACTS = (
    *(
        "version",
        "description",
        "as_of",
        "begun_at",
        "ended_at",
        "days",
        "units",
        "searches",
        "crossed_units",
    ),
    *("alpha", "comparison_alpha"),
)
SAYS = {
    "better": "better",
    "worse": "worse",
    "alike": "no difference that matters",
    "little_better": "better, but too little to matter",
    "little_worse": "worse, but too little to matter",
    "open": "undecided",
    "void": "not to be trusted",
}


def report_page(record: Mapping[str, Any]) -> str:
    """The whole HTML page of a report's record: no outside resources, no script; foreign text is never markup."""
    return _environment().get_template("experiment.html.j2").render(_context(record))


def _context(record: Plain) -> dict[str, Any]:
    trusted = reading.trusted(record)
    metrics = reading.metrics(record)
    primary = [pair for pair in metrics if pair[0].name == record.get("primary")]
    deciding = primary[0][2] if primary else []
    slices = reading.slices(record)
    arms = _arms(record)
    differences = [one for _, _, found in metrics for one in found]
    alpha = reading.number(record.get("alpha")) or ALPHA
    return {
        "it": {name: record.get(name) for name in _FACTS},
        "description": reading.text(record.get("description")),
        "key": reading.text(record.get("key")),
        "control": reading.text(record.get("control")),
        "primary": reading.text(record.get("primary")),
        "trusted": trusted,
        "verdict": _verdict(record),
        "ratio": _ratio(record),
        "srm_alpha": SRM_ALPHA,
        "arms": arms,
        "guards": [_guard(raw) for raw in reading.items(record.get("guardrails"))],
        "metrics": [(of, _values(of, means, arms), found) for of, means, found in metrics],
        "undrawn": _undrawn(differences),
        "slices": [(metric, list(own)) for metric, own in groupby(slices, key=lambda one: one.metric)],
        "unevenness": [_uneven(raw) for raw in reading.items(record.get("unevenness"))],
        "plan": _plan(record),
        "level": notation.level(alpha),
        "always_level": notation.level(reading.number(record.get("comparison_alpha")) or alpha),
        "cuped": any(one.cuped for one in differences),
        "looks": over_time(deciding, "looks"),
        "forest": forest(differences, "forest"),
        "slices_picture": forest(slices, "slices"),
        "traffic": traffic(*_daily(record, arms), "traffic"),
        "known": reading.number,
        "at": lambda found: notation.instant(reading.instant(found)),
    }


def _verdict(record: Plain) -> dict[str, Any]:
    raw = reading.part(record.get("verdict"))
    kind = raw.get("kind") if raw.get("kind") in HEADLINES else "open"
    arm = reading.text(raw.get("arm")) or "An arm"
    return {
        "kind": kind,
        "headline": HEADLINES[str(kind)].replace("{arm}", arm),
        "sentence": reading.text(raw.get("sentence")),
        "change": reading.text(raw.get("change")),
        "needed_units": reading.number(raw.get("needed_units")),
        "needed_days": reading.number(raw.get("needed_days")),
    }


def _arms(record: Plain) -> list[dict[str, Any]]:
    """Each arm with what was planned for it; expected units come from the check itself, else from the shares."""
    raws = reading.items(record.get("arms"))
    expected = reading.part(record.get("ratio")).get("expected")
    total = reading.number(record.get("units"))
    arms = []
    for place, raw in enumerate(raws):
        share, units = reading.number(raw.get("share")), reading.number(raw.get("units"))
        planned = None if share is None or total is None else share * total
        if isinstance(expected, list | tuple) and len(expected) == len(raws):
            planned = reading.number(expected[place])
        arms.append(
            {
                **{
                    "name": reading.text(raw.get("name")),
                    "share": share,
                    "units": units,
                    "expected": planned,
                },
                "searches": reading.number(raw.get("searches")),
                "gap": units / planned - 1 if units is not None and planned else None,
                "came": units / total if units is not None and total else None,
            }
        )
    return arms


def _ratio(record: Plain) -> dict[str, Any]:
    raw = reading.part(record.get("ratio"))
    p = reading.number(raw.get("p"))
    light = "bad" if not reading.trusted(record) else "wait" if p is None else "good"
    words = {"bad": "Split is off", "wait": "Too early to say", "good": "Split as planned"}
    always = reading.number(raw.get("always_p"))
    return {
        "p": p,
        "always_p": always,
        "light": light,
        "words": words[light],
        "sure": raw.get("sure") is True,
    }


def _guard(raw: Plain) -> dict[str, Any]:
    state = raw.get("state") if raw.get("state") in STATES else "open"
    name = reading.text(raw.get("name"))
    return {
        **{"name": name, "metric": reading.text(raw.get("metric")) or name, "state": state},
        "arm": reading.text(raw.get("arm")),
        "tolerance": reading.number(raw.get("tolerance")),
        "delta": reading.number(raw.get("delta")),
        "always": reading.span(raw.get("always_ci")),
    }


def _values(of: Metric, means: Plain, arms: Sequence[Plain]) -> dict[str, str]:
    """Mean by arm as text."""
    # The record's own key may hold the spaces that text() folds, so both are read the same way.
    found = {reading.text(name): reading.part(one).get("value") for name, one in means.items()}
    return {arm["name"]: notation.value(of.name, reading.number(found.get(arm["name"]))) for arm in arms}


def _undrawn(differences: Sequence[Difference]) -> list[str]:
    return [one.label for one in differences if one.delta is None or one.metric.effect <= 0]


def _uneven(raw: Plain) -> dict[str, Any]:
    figures = {name: reading.number(raw.get(name)) for name in ("slices", "q", "p", "p_holm")}
    return {"tag": reading.text(raw.get("tag")), "arm": reading.text(raw.get("arm")), **figures}


def _plan(record: Plain) -> dict[str, float | None] | None:
    raw = reading.part(record.get("plan"))
    names = ("effect", "alpha", "power", "units", "days", "sequential_units", "sequential_days")
    return {name: reading.number(raw.get(name)) for name in names} if raw else None


def _daily(record: Plain, arms: Sequence[Plain]) -> tuple[list[datetime], dict[str, list[float | None]]]:
    days, units = [], []
    for raw in reading.items(record.get("daily")):
        at, counts = reading.instant(raw.get("day")), raw.get("units")
        if at is not None and isinstance(counts, list | tuple) and len(counts) == len(arms):
            days.append(at)
            units.append([reading.number(count) for count in counts])
    return days, {arm["name"]: [row[place] for row in units] for place, arm in enumerate(arms)}


def _sign(kind: str) -> str:
    """The shape of a reading: good, bad, even or wait."""
    return next((sign for sign, kinds in _SIGNS.items() if kind in kinds), "wait")


def _environment() -> Environment:
    loader = PackageLoader("evaluation", "templates")
    pages = Environment(
        loader=loader,
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    pages.globals.update(n=notation, sign_of=_sign, says=SAYS)
    styles = (loader.get_source(pages, name)[0] for name in ("report.css", "experiment.css"))
    # Our own stylesheets, not foreign text: escaping would break their quotes.
    pages.globals["css"] = Markup("".join(styles))  # noqa: S704
    return pages
