"""Settings of a plan that can be changed by name: by the arms of an experiment and by sweeps.

One table says what there is, of what type, and between which bounds; nothing else of a plan can be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from models.rung import RUNGS

from .errors import Fault
from .plan import Exploration, Interleaving, Plan, Reranking
from .systems import SYSTEMS

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Override:
    """One setting. kind: what a value must be. least, most: its bounds, both included. allowed: its closed set."""

    kind: type
    apply: Callable[[Plan, Value], Plan]
    least: float | None = None
    most: float | None = None
    allowed: tuple[str, ...] = ()
    optional: bool = False

    def refusal(self, value: Value) -> tuple[str, str] | None:
        """The code and words of what is wrong with a value; None when it may stand."""
        if value is None and self.optional:
            return None
        number = self.kind is float and isinstance(value, int) and not isinstance(value, bool)
        if type(value) is not self.kind and not number:
            return "wrong-type", f"must be a {_WORDS[self.kind]}"
        if self.allowed and value not in self.allowed:
            return "not-allowed", f"must be one of {', '.join(self.allowed)}"
        if self.least is None or self.most is None or not isinstance(value, int | float):
            return None
        if not self.least <= value <= self.most:
            return "out-of-range", f"must be between {self.least:g} and {self.most:g}"
        return None


_WORDS = {int: "whole number", float: "number", bool: "true or false", str: "text"}


def _plain(name: str) -> Callable[[Plan, Value], Plan]:
    return lambda plan, value: replace(plan, **{name: value})  # type: ignore[arg-type]


def _fusion(name: str) -> Callable[[Plan, Value], Plan]:
    return lambda plan, value: replace(plan, fusion=replace(plan.fusion, **{name: value}))  # type: ignore[arg-type]


def _weight(leg: str) -> Callable[[Plan, Value], Plan]:
    def apply(plan: Plan, value: Value) -> Plan:
        weights = {**plan.fusion.weights, leg: float(value or 0.0)}
        return replace(plan, fusion=replace(plan.fusion, weights=weights))

    return apply


def _rerank(plan: Plan, value: Value) -> Plan:
    return replace(plan, rerank=(plan.rerank or Reranking()) if value else None)


def _reranking(name: str) -> Callable[[Plan, Value], Plan]:
    def apply(plan: Plan, value: Value) -> Plan:
        return replace(plan, rerank=replace(plan.rerank or Reranking(), **{name: value}))  # type: ignore[arg-type]

    return apply


def _explore(plan: Plan, value: Value) -> Plan:
    if value is None:
        return replace(plan, explore=None)
    return replace(plan, explore=replace(plan.explore or Exploration(), method=value))  # type: ignore[arg-type]


def _exploring(name: str) -> Callable[[Plan, Value], Plan]:
    def apply(plan: Plan, value: Value) -> Plan:
        return replace(plan, explore=replace(plan.explore or Exploration(), **{name: value}))  # type: ignore[arg-type]

    return apply


def _interleave(plan: Plan, value: Value) -> Plan:
    return replace(plan, interleave=None if value is None else Interleaving(str(value)))


# In this order they are applied: what turns a part on comes before what sets it.
OVERRIDES: Mapping[str, Override] = MappingProxyType(
    {
        "depth": Override(int, _plain("depth"), 1, 2_000),
        "window": Override(int, _plain("window"), 1, 1_000),
        "open_first": Override(bool, _plain("open_first")),
        "certain_weight": Override(float, _plain("certain_weight"), 0, 1_000),
        "budget_ms": Override(float, _plain("budget_ms"), 1, 60_000, optional=True),
        "fusion.method": Override(str, _fusion("method"), allowed=("rrf", "weighted")),
        "fusion.rrf_k": Override(float, _fusion("rrf_k"), 0, 10_000),
        "fusion.normaliser": Override(str, _fusion("normaliser"), allowed=("max", "min-max", "z-score")),
        "fusion.weights.lexical": Override(float, _weight("lexical"), 0, 100),
        "fusion.weights.dense": Override(float, _weight("dense"), 0, 100),
        "fusion.weights.alias": Override(float, _weight("alias"), 0, 100),
        "rerank": Override(bool, _rerank),
        "rerank.depth": Override(int, _reranking("depth"), 1, 200),
        "rerank.gate": Override(bool, _reranking("gate")),
        "rerank.closed_penalty": Override(float, _reranking("closed_penalty"), 0, 100),
        "rerank.adaptive": Override(bool, _reranking("adaptive")),
        "rerank.floor": Override(str, _reranking("floor"), allowed=RUNGS),
        "explore": Override(str, _explore, allowed=("swap", "plackett-luce"), optional=True),
        "explore.depth": Override(int, _exploring("depth"), 2, 10),
        "explore.chance": Override(float, _exploring("chance"), 0, 0.5),
        "explore.temperature": Override(float, _exploring("temperature"), 0.02, 2),
        "interleave": Override(str, _interleave, allowed=tuple(SYSTEMS), optional=True),
        "attraction": Override(float, _plain("attraction"), 0, 1),
    }
)


def faults_in(overrides: Mapping[str, Value], pointer: str) -> list[Fault]:
    """One fault for each override that names no setting or holds a wrong value."""
    faults = []
    for name, value in overrides.items():
        where = f"{pointer}/{name}"
        if (known := OVERRIDES.get(name)) is None:
            faults.append(
                Fault(where, "unknown-field", f"is no setting of a plan; there are {', '.join(OVERRIDES)}")
            )
        elif (refusal := known.refusal(value)) is not None:
            faults.append(Fault(where, *refusal))
    return faults


def overridden(plan: Plan, overrides: Mapping[str, Value]) -> Plan:
    """The plan with these settings, with which `faults_in` found no fault.

    Raises ValueError for parts that exclude one another.
    """
    for name, override in OVERRIDES.items():
        if name in overrides:
            plan = override.apply(plan, overrides[name])
    return plan
