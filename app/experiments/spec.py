"""An experiment as data. Frozen: a change makes another value, and the store another version where it moves people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from itertools import accumulate
from typing import Any, Literal

from evaluation.online.design import PRIMARY

from .bucket import BUCKETS

Unit = Literal["user", "session", "cookie"]
State = Literal["running", "stopped"]
Value = str | int | float | bool | None

PER_CENT = BUCKETS // 100


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to search: a system with some of its settings changed. weight: in per cent of those who take part.

    system: None = what the service does by default. overrides: by the names of `app.overrides`.
    """

    name: str
    weight: float
    system: str | None = None
    overrides: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Targeting:
    """Whose searches take part; an empty set asks for nothing. langs are those that callers name in their request."""

    langs: tuple[str, ...] = ()
    host_countries: tuple[str, ...] = ()
    priorities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """One version of an experiment.

    key: its name, for good. layer: experiments of one layer never share a unit. slot: the layer's buckets that are kept
    for it, first and one past the last. coverage: per cent of all units that take part: they are the first of the slot,
    so more coverage adds units and moves none. unit: what is split; `cookie` is an anonymous id that counts only with
    consent. salt: splits the units among the arms. arms: the first one is the control. starts_at, stops_at: when it
    runs; None = from its creation, and until it is stopped. primary: the metric that decides; effect: the least
    difference in it that matters, None = as the catalogue has it. guardrails: tolerances that replace the standing
    ones, by name; None = not watched.
    """

    key: str
    arms: tuple[Arm, ...]
    layer: str
    salt: str
    unit: Unit = "user"
    slot: tuple[int, int] = (0, BUCKETS)
    coverage: float = 100.0
    targeting: Targeting = Targeting()
    starts_at: datetime | None = None
    stops_at: datetime | None = None
    description: str = ""
    primary: str = PRIMARY
    effect: float | None = None
    guardrails: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[int, ...]:
        """Where each arm's buckets end; the last is 10,000."""
        return tuple(accumulate(round(arm.weight * PER_CENT) for arm in self.arms))

    @property
    def included(self) -> range:
        """The layer's buckets whose units take part."""
        first, _ = self.slot
        return range(first, first + round(self.coverage * PER_CENT))

    def moves_nobody(self, other: Experiment) -> bool:
        """Whether a unit that takes part in both has one and the same arm and treatment, judged by the same measure.

        Coverage, dates, words and guardrails may differ; anything else starts a new version.
        """
        return self._split() == other._split()

    def _split(self) -> Experiment:
        return replace(self, coverage=0.0, starts_at=None, stops_at=None, description="", guardrails={})

    def runs(self, at: datetime) -> bool:
        """Whether it takes units in at that instant, were it not stopped."""
        begun = self.starts_at is None or self.starts_at <= at
        return begun and (self.stops_at is None or at < self.stops_at)

    def record(self) -> dict[str, Any]:
        """The experiment as plain JSON values, the form in which it is sent and stored."""
        plain = asdict(self)
        plain["starts_at"] = None if self.starts_at is None else self.starts_at.isoformat()
        plain["stops_at"] = None if self.stops_at is None else self.stops_at.isoformat()
        return plain


def canonical(experiment: Experiment) -> str:
    """The one text of an experiment, for the store and for ETags."""
    return json.dumps(experiment.record(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read(text: str) -> Experiment:
    """The experiment that `canonical` wrote."""
    raw = json.loads(text)
    arms = tuple(Arm(**arm) for arm in raw.pop("arms"))
    targeting = Targeting(**{name: tuple(values) for name, values in raw.pop("targeting").items()})
    slot = tuple(raw.pop("slot"))
    starts_at, stops_at = (
        None if (value := raw.pop(name)) is None else datetime.fromisoformat(value)
        for name in ("starts_at", "stops_at")
    )
    return Experiment(
        **raw,
        arms=arms,
        targeting=targeting,
        slot=(slot[0], slot[1]),
        starts_at=starts_at,
        stops_at=stops_at,
    )
