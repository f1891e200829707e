"""What a replay ends with: figures beside the health of the log, or a refusal and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .decisions import Decisions
from .estimators import Estimate, Foretold, estimates
from .health import Health, examine

MAIN = ("dr", "snips", "ips")
"""Which estimate speaks first, the first that is there: the module `estimators` says why."""


@dataclass(frozen=True, slots=True)
class Replay:
    """served: what the logging policy itself earned per search. estimates: empty when the log cannot answer."""

    system: str
    metric: str
    served: Estimate
    health: Health
    estimates: tuple[Estimate, ...]

    @property
    def best(self) -> Estimate | None:
        """The estimate that speaks first; None when the log cannot answer."""
        known = {estimate.name: estimate for estimate in self.estimates}
        return next((known[name] for name in MAIN if name in known), None)

    def figures(self) -> Mapping[str, Any]:
        """All of it as JSON has it."""
        return {
            "system": self.system,
            "metric": self.metric,
            "answered": self.health.refusal is None,
            "served": _figures(self.served),
            "estimates": {one.name: _figures(one) | _lift(one) for one in self.estimates},
            **asdict(self.health),
        }


def replay(
    decisions: Decisions,
    system: str,
    metric: str,
    rng: np.random.Generator,
    foretold: Foretold | None = None,
    unseen: float | None = None,
    cap: float | None = None,
) -> Replay:
    """What `system` would have earned per search, by every estimator, or why that cannot be said."""
    health = examine(decisions, rng, unseen)
    served, *found = estimates(decisions, rng, foretold, cap)
    return Replay(system, metric, served, health, () if health.refusal is not None else tuple(found))


def _lift(estimate: Estimate) -> dict[str, Any]:
    lift = estimate.lift
    return {"lift": lift.value, "lift_ci95": [lift.low, lift.high]}


def _figures(estimate: Estimate) -> dict[str, Any]:
    told: dict[str, Any] = {"value": estimate.value, "ci95": [estimate.low, estimate.high]}
    return told | {"note": estimate.note} if estimate.note else told
