"""A log of simulated people, as the service would have kept it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import numpy as np

from app.experiments.version import Version
from app.feedback.event import Event
from app.feedback.exposure import Exposure
from app.feedback.intake import EVENT, EXPOSURE, Lines, keep
from app.store import Store
from evaluation.online.simulation import World, simulate

HITS = tuple((f"d{rank}", rank, None, None) for rank in range(1, 11))


def write_log(store: Store, version: Version, world: World, begun: datetime, seed: int) -> None:
    """Nothing; the searches and clicks of `world` are in the store, as of that version."""
    searches = simulate(world, np.random.default_rng(seed))
    rng = np.random.default_rng(seed + 1)
    names = [arm.name for arm in version.experiment.arms]
    lines: list[list[object]] = []
    for row in range(len(searches)):
        at = begun + timedelta(seconds=float(searches.at_s[row]))
        unit = f"{version.key} u{searches.units[row]}"
        served = Exposure(
            query_id=f"{version.key} {row}",
            at_s=at.timestamp(),
            unit=unit,
            session=None,
            consent=False,
            text=None,
            filters=None,
            query_hash=f"{version.key} {row}",
            lang=("en", "zh-Hans")[int(searches.units[row]) % 2],
            system="words",
            fingerprint="f",
            precision=None,
            offset=0,
            hits=HITS,
            total=10,
            total_ms=float(rng.gamma(6, 9)),
            degraded=(),
            arms=((version.key, version.number, names[searches.arms[row]], 1, unit),),
            flag=None,
        )
        lines.append([EXPOSURE, served.plain()])
        if value := float(searches.metrics["click_mrr@5"][row]):
            rank = round(1 / value)
            event = Event(f"{version.key} e{row}", f"{version.key} {row}", "click", f"d{rank}", rank)
            lines.append([EVENT, event.plain(), at.timestamp() + 5])
    keep(store, Lines.read(json.loads(json.dumps(lines))))
