"""All searches of a stretch of time, as if they were one arm: what a plan for an experiment is made from."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from app.feedback.outcome import METRICS, outcomes
from app.feedback.reading import deeds_between, served_between
from app.store import Store
from app.store.engine import reading
from evaluation.online.searches import Searches


def traffic(store: Store, since: datetime, until: datetime) -> Searches:
    """The searches of everybody who gave an id, from `since` up to before `until`. Raises StoreError."""
    with reading(store.engine) as connection:
        pages = [one for one in served_between(connection, since, until) if one.unit is not None]
        found = outcomes(pages, deeds_between(connection, since, until))
    units = {unit: code for code, unit in enumerate(sorted({one.served.unit or "" for one in found}))}
    return Searches(
        units=np.array([units[one.served.unit or ""] for one in found], np.int64),
        arms=np.zeros(len(found), np.int8),
        at_s=np.array([one.served.at_s for one in found], np.float64),
        metrics={name: np.array([one.metrics[name] for one in found], np.float64) for name in METRICS},
    )
