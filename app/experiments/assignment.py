"""Who gets which arm: a pure function of the running experiments and one search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.call import SearchCall

from .bucket import bucket, place
from .spec import Experiment, Targeting, Value
from .version import Version

_INCLUSION = "layer:"
_VARIANT = "variant:"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One arm of one search. bucket: the one that chose the arm; None where the caller did, which counts for nobody."""

    key: str
    version: int
    variant: str
    bucket: int | None

    def record(self) -> dict[str, Any]:
        """As the answer shows it."""
        plain = {"key": self.key, "version": self.version, "variant": self.variant, "bucket": self.bucket}
        return {**plain, "forced": self.bucket is None}


@dataclass(frozen=True, slots=True)
class Treatment:
    """What experiments do to one search. system: None = the default; overrides: settings of its plan by name."""

    assignments: tuple[Assignment, ...] = ()
    system: str | None = None
    overrides: Mapping[str, Value] = field(default_factory=dict)

    @property
    def arms(self) -> str:
        """The arms as one text: two searches with the same one are treated alike."""
        return ",".join(f"{one.key}:{one.version}:{one.variant}" for one in self.assignments)


UNTREATED = Treatment()


class Assigner:
    """The versions that were running when it was made, ready to be asked often."""

    def __init__(self, versions: Iterable[Version]) -> None:
        self._running = [_Running(one) for one in versions if one.state == "running"]

    def treatment(self, call: SearchCall, at: datetime) -> Treatment:
        """What is done to `call`, asked at that instant; nothing where the caller chose system or reranking itself."""
        if not self._running or call.system is not None or call.rerank.enabled is not None:
            return UNTREATED
        assignments: list[Assignment] = []
        system: str | None = None
        overrides: dict[str, Value] = {}
        for running in self._running:
            if (found := running.assignment(call, at)) is None:
                continue
            assignments.append(found)
            arm = running.arms[found.variant]
            system = arm.system or system
            overrides.update(arm.overrides)
        return Treatment(tuple(assignments), system, overrides) if assignments else UNTREATED


def included_bucket(experiment: Experiment, unit: str) -> int:
    """The bucket of a unit in the experiment's layer: every experiment of the layer sees the same one."""
    return bucket(_INCLUSION + experiment.layer, unit)


def variant_bucket(experiment: Experiment, unit: str) -> int:
    """The bucket of a unit that chooses its arm."""
    return bucket(_VARIANT + experiment.salt, unit)


class _Running:
    def __init__(self, version: Version) -> None:
        self.version, self.experiment = version, version.experiment
        self.arms = {arm.name: arm for arm in self.experiment.arms}
        self._included, self._bounds = self.experiment.included, self.experiment.bounds

    def assignment(self, call: SearchCall, at: datetime) -> Assignment | None:
        experiment = self.experiment
        if not self.version.takes_in(at) or not _aimed(experiment.targeting, call):
            return None
        if call.arms:  # who tries an arm is counted nowhere, not even in the experiments beside it
            forced = dict(call.arms).get(experiment.key)
            return (
                Assignment(experiment.key, self.version.number, forced, None) if forced in self.arms else None
            )
        unit = _unit(experiment, call)
        if unit is None or included_bucket(experiment, unit) not in self._included:
            return None
        chosen = variant_bucket(experiment, unit)
        arm = experiment.arms[place(chosen, self._bounds)]
        return Assignment(experiment.key, self.version.number, arm.name, chosen)


def _unit(experiment: Experiment, call: SearchCall) -> str | None:
    if experiment.unit == "session":
        return call.session_id
    if experiment.unit == "cookie" and not call.consent:
        return None
    return call.unit_id


def _aimed(targeting: Targeting, call: SearchCall) -> bool:
    if targeting.langs and (call.query.lang or "").partition("-")[0].lower() not in targeting.langs:
        return False
    if targeting.priorities and call.priority not in targeting.priorities:
        return False
    wanted = set(targeting.host_countries)
    return not wanted or bool(wanted & set(call.query.filters.host_countries))
