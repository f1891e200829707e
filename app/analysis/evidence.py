"""The log of one version of an experiment as the statistics want it: exposures and events in, searches out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from app.experiments.version import Version
from app.feedback.exposure import FAILED
from app.feedback.outcome import METRICS, Outcome, outcomes
from app.feedback.reading import Page, deeds_in, deeds_of, served_in, served_to
from app.store import Store
from app.store.engine import reading
from evaluation.online.design import GUARDRAILS, Design, Guardrail
from evaluation.online.searches import Searches, Values

BEFORE = timedelta(days=14)
"""How far back a unit's own past is looked at, to make differences narrower (CUPED)."""
_ERROR = "error"
_KEYS: Mapping[str, str] = {
    "latency_p95_ms": "p95 latency_ms",
    "error": "error",
    "zero_result": "zero_result",
}


def design_of(version: Version) -> Design:
    """What was fixed of a version before its first search."""
    experiment = version.experiment
    begun = max(version.created_at, experiment.starts_at or version.created_at)
    ended = min((at for at in (version.stopped_at, experiment.stops_at) if at is not None), default=None)
    return Design(
        key=version.key,
        version=version.number,
        arms=tuple(arm.name for arm in experiment.arms),
        shares=tuple(arm.weight / 100 for arm in experiment.arms),
        primary=experiment.primary,
        effects={} if experiment.effect is None else {experiment.primary: experiment.effect},
        guardrails=tuple(_guardrails(experiment.guardrails)),
        begun_at_s=begun.timestamp(),
        ended_at_s=None if ended is None else ended.timestamp(),
    )


def _guardrails(changed: Mapping[str, float | None]) -> Iterable[Guardrail]:
    own = {_KEYS[key]: tolerance for key, tolerance in changed.items()}
    for standing in GUARDRAILS:
        tolerance = own.get(standing.name, standing.tolerance)
        if tolerance is not None:
            yield replace(standing, tolerance=tolerance)


def evidence(store: Store, version: Version, until: datetime) -> Searches:
    """The searches of one version that were asked before `until`. Raises StoreError.

    Answers and failures alike; what bots, trials and strangers without an id did is not among them.
    """
    key, number = version.key, version.number
    begun = datetime.fromtimestamp(design_of(version).begun_at_s or 0.0, version.created_at.tzinfo)
    with reading(store.engine) as connection:
        pages = [page for page in served_in(connection, key, number, until) if page.assigned is not None]
        found = outcomes((page.served for page in pages), deeds_in(connection, key, number, until))
        past: list[Outcome] = []
        if version.experiment.unit != "session":  # sessions have no past
            stretch = (connection, key, number, begun - BEFORE, begun)
            past = outcomes(served_to(*stretch), deeds_of(*stretch))
    return searches_of(version, pages, found, past)


def searches_of(
    version: Version, pages: Iterable[Page], found: Iterable[Outcome], past: Iterable[Outcome]
) -> Searches:
    """Pages and what came of them as columns. past: outcomes of the time before, of the same units."""
    places = {arm.name: place for place, arm in enumerate(version.experiment.arms)}
    of = {page.served.query_id: page for page in pages}
    rows = [(of[one.served.query_id], one) for one in found]
    failed = [page for page in of.values() if page.served.flag == FAILED]
    asked = [page for page, _ in rows] + failed
    units = {unit: code for code, unit in enumerate(sorted({page.assigned or "" for page in asked}))}
    metrics = {
        name: np.array([one.metrics[name] for _, one in rows] + [np.nan] * len(failed)) for name in METRICS
    }
    metrics[_ERROR] = np.array([0.0] * len(rows) + [1.0] * len(failed))
    before = _before(units, past)
    known = {unit for unit, code in units.items() if any(np.isfinite(one[code]) for one in before.values())}
    return Searches(
        units=np.array([units[page.assigned or ""] for page in asked], np.int64),
        arms=np.array([places[page.variant] for page in asked], np.int8),
        at_s=np.array([page.served.at_s for page in asked], np.float64),
        metrics=metrics,
        tags={
            "lang": np.array([page.lang for page in asked], np.str_),
            **(
                {
                    "visitor": np.array(
                        ["known" if page.assigned in known else "new" for page in asked], np.str_
                    )
                }
                if before
                else {}
            ),
        },
        before=before,
    )


def _before(units: Mapping[str, int], past: Iterable[Outcome]) -> dict[str, Values]:
    """By metric the (U,) mean of each unit's searches before the experiment; NaN where there were none."""
    own: dict[str, list[Outcome]] = defaultdict(list)
    for one in past:
        if one.served.unit in units:
            own[one.served.unit or ""].append(one)
    if not own:
        return {}
    found = {name: np.full(len(units), np.nan) for name in METRICS}
    for unit, searches in own.items():
        for name, values in found.items():
            known = [value for one in searches if not np.isnan(value := one.metrics[name])]
            if known:
                values[units[unit]] = sum(known) / len(known)
    return found
