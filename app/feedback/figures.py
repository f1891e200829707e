"""The live figures: what came of the searches of the last day, over all of them and by arm of running experiments."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select

from app.store import Store
from app.store.engine import reading
from app.store.tables import EXPERIMENTS

from .outcome import METRICS, Outcome, outcomes
from .reading import arms_between, deeds_between, served_between

WINDOW = timedelta(days=1)
MOST_PAGES = 20_000
"""The newest so many pages are looked at: a bound on what a glance at `/metrics` costs the service."""
EVERYBODY = ("-", "-")
"""Stands for all searches, in experiments or not: no experiment can have such a key."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over the searches of one arm by name of the metric, NaN without any. searches: how many."""

    searches: int
    means: Mapping[str, float]


def live_figures(store: Store, now: datetime) -> dict[tuple[str, str], Figures]:
    """The figures by (experiment, variant), the running version of each. Raises StoreError."""
    since, until = now - WINDOW, now + timedelta(minutes=1)
    with reading(store.engine) as connection:
        pages = served_between(connection, since, until, MOST_PAGES)
        deeds = deeds_between(connection, since, until)
        arms = arms_between(connection, since, until)
        wanted = select(EXPERIMENTS.c.key, EXPERIMENTS.c.version).where(EXPERIMENTS.c.state == "running")
        running = {(key, version) for key, version in connection.execute(wanted)}
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes(pages, deeds):
        groups[EVERYBODY].append(outcome)
        for key, version, variant in arms.get(outcome.served.query_id, ()):
            if (key, version) in running:
                groups[key, variant].append(outcome)
    return {place: figures_of(group) for place, group in groups.items()}


def figures_of(group: Iterable[Outcome]) -> Figures:
    """The means over some outcomes; a metric that does not apply to a search leaves it out."""
    found = list(group)
    means = {}
    for name in METRICS:
        known = [value for one in found if not math.isnan(value := one.metrics[name])]
        means[name] = math.fsum(known) / len(known) if known else math.nan
    return Figures(len(found), means)
