"""What experiments may not do to one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.errors import Fault

from .spec import Experiment

# The first hits of a page are shuffled or mixed, never both.
_SAME_PART = {"interleave": "explore"}


def clashes(candidate: Experiment, others: Iterable[Experiment]) -> list[Fault]:
    """One fault for each way in which another experiment could get at the same units, settings or draws."""
    faults: list[Fault] = []
    for other in others:
        if other.key != candidate.key:
            beside = _in_one_layer if other.layer == candidate.layer else _in_two_layers
            faults += beside(candidate, other)
    return faults


def touched(experiment: Experiment) -> set[str]:
    """The parts of a plan that its arms change, `system` among them where one is named.

    The settings of a part have their meaning together: a depth of reranking says nothing where another arm reranks not
    at all.
    """
    names = {name.partition(".")[0] for arm in experiment.arms for name in arm.overrides}
    parts = {_SAME_PART.get(name, name) for name in names}
    return parts | ({"system"} if any(arm.system is not None for arm in experiment.arms) else set())


def _in_one_layer(candidate: Experiment, other: Experiment) -> Iterator[Fault]:
    """Slots may not overlap; and buckets of visits say nothing about buckets of people, so a layer has one kind."""
    if (candidate.unit == "session") != (other.unit == "session"):
        words = f"is not what experiment {other.key!r} splits in this layer, {other.unit}: a search could be in both"
        yield Fault("/unit", "not-allowed", words)
    elif candidate.slot[0] < other.slot[1] and other.slot[0] < candidate.slot[1]:
        taken = f"{other.slot[0]} to {other.slot[1] - 1}"
        words = f"overlaps the buckets {taken} that experiment {other.key!r} has in this layer"
        yield Fault("/slot", "not-allowed", words)


def _in_two_layers(candidate: Experiment, other: Experiment) -> Iterator[Fault]:
    """A unit can be in both: they may not change one part of the plan, nor draw their arms alike."""
    if shared := touched(candidate) & touched(other):
        words = f"change {', '.join(sorted(shared))}, as experiment {other.key!r} of another layer does"
        yield Fault("/arms", "not-allowed", words)
    if candidate.salt == other.salt:
        words = f"is that of experiment {other.key!r} of another layer: their arms would go together"
        yield Fault("/salt", "not-allowed", words)
