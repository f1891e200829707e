"""What experiments may not do to one another."""

from __future__ import annotations

from collections.abc import Iterable

from app.errors import Fault

from .spec import Experiment


def clashes(candidate: Experiment, others: Iterable[Experiment]) -> list[Fault]:
    """One fault for each other experiment that could get at the same units or the same settings.

    In one layer slots may not overlap. In two layers a unit can be in both experiments, so they may not change the
    same settings: nobody could say whose change it was.
    """
    faults = []
    for other in others:
        if other.key == candidate.key:
            continue
        if other.layer == candidate.layer:
            if candidate.slot[0] < other.slot[1] and other.slot[0] < candidate.slot[1]:
                taken = f"{other.slot[0]} to {other.slot[1] - 1}"
                words = f"overlaps the buckets {taken} that experiment {other.key!r} has in this layer"
                faults.append(Fault("/slot", "not-allowed", words))
        elif shared := touched(candidate) & touched(other):
            words = f"change {', '.join(sorted(shared))}, as experiment {other.key!r} of another layer does"
            faults.append(Fault("/arms", "not-allowed", words))
    return faults


def touched(experiment: Experiment) -> set[str]:
    """The settings that its arms make, `system` among them where one is named."""
    names = {name for arm in experiment.arms for name in arm.overrides}
    return names | ({"system"} if any(arm.system is not None for arm in experiment.arms) else set())
