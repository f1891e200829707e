"""A report's record as the page reads it: whatever is missing, null or no number in it is None here, never a guess."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .notation import Span

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Metric:
    """better: +1 = more is better, -1 = less. effect: the least difference that matters, 0 = not known."""

    name: str
    words: str
    better: int
    effect: float


@dataclass(frozen=True, slots=True)
class Look:
    """The difference as it stood at an instant."""

    at: datetime
    delta: float
    always: Span | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One arm against control. once: the interval of one look; always: of all looks; says: how `always` reads."""

    metric: Metric
    arm: str
    label: str
    delta: float | None
    lift: float | None
    once: Span | None
    always: Span | None
    always_p: float | None
    cuped: bool
    units: float | None
    searches: float | None
    says: str
    looks: tuple[Look, ...] = ()


def number(found: object) -> float | None:
    """A finite number, or None."""
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return found if math.isfinite(found) else None


def text(found: object) -> str:
    """Text of others on one line; "" for what is missing or is no text."""
    return " ".join(found.split()) if isinstance(found, str) else ""


def part(found: object) -> Plain:
    """An object, or an empty one."""
    return found if isinstance(found, Mapping) else {}


def items(found: object) -> list[Plain]:
    """The objects of a list."""
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list | tuple) else []


def span(found: object) -> Span | None:
    """Both ends of an interval; None where one is not known, as half an interval says nothing."""
    if not isinstance(found, list | tuple) or len(found) != 2:
        return None
    low, high = number(found[0]), number(found[1])
    return None if low is None or high is None else (low, high)


def instant(found: object) -> datetime | None:
    """An instant in UTC, or None."""
    try:
        at = datetime.fromisoformat(str(found))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def says(always: Span | None, metric: Metric) -> str:
    """What an interval says by itself: better, worse, alike, open; little_* = surely, but less than what matters."""
    if always is None:
        return "open"
    low, high = always if metric.better > 0 else (-always[1], -always[0])
    little = metric.effect > 0 and low > -metric.effect and high < metric.effect
    if low > 0:
        return "little_better" if little else "better"
    if high < 0:
        return "little_worse" if little else "worse"
    return "alike" if little else "open"


def metric(raw: Plain) -> Metric:
    """A metric, from its own part of the record or from a slice's."""
    name = text(raw.get("name", raw.get("metric")))
    effect = number(raw.get("effect"))
    return Metric(
        name, text(raw.get("words")), -1 if number(raw.get("better")) == -1 else 1, max(0.0, effect or 0.0)
    )


def difference(raw: Plain, of: Metric, label: str, *, trusted: bool) -> Difference:
    """One comparison. Not trusted: the arms lost units, so its interval says nothing, however clear it looks."""
    always = span(raw.get("always_ci"))
    looks = (
        Look(at, moved, span(look.get("always_ci")))
        for look in items(raw.get("looks"))
        if (at := instant(look.get("at"))) is not None and (moved := number(look.get("delta"))) is not None
    )
    return Difference(
        of,
        text(raw.get("arm")),
        label,
        number(raw.get("delta")),
        number(raw.get("lift")),
        span(raw.get("ci")),
        always,
        number(raw.get("always_p")),
        raw.get("cuped") is True,
        number(raw.get("units")),
        number(raw.get("searches")),
        says(always, of) if trusted else "void",
        tuple(sorted(looks, key=lambda look: look.at)),
    )


def trusted(record: Plain) -> bool:
    """Whether the lifts may be read at all: the split is as planned, and the verdict is not blocked."""
    off = part(record.get("ratio")).get("mismatch") is True
    return not off and part(record.get("verdict")).get("kind") != "blocked"


def metrics(record: Plain) -> list[tuple[Metric, Plain, list[Difference]]]:
    """Every metric with its means by arm and its differences, the one that decides first."""
    primary, sure = record.get("primary"), trusted(record)
    raws = sorted(items(record.get("metrics")), key=lambda raw: raw.get("name") != primary)
    several = len(items(record.get("arms"))) > 2
    found = []
    for raw in raws:
        of = metric(raw)
        rows = items(raw.get("comparisons"))
        named = ((one, f"{of.name} · {text(one.get('arm'))}" if several else of.name) for one in rows)
        differences = [difference(one, of, label, trusted=sure) for one, label in named]
        found.append((of, part(raw.get("arms")), differences))
    return found


def slices(record: Plain) -> list[Difference]:
    """The deciding metric among the searches with one word of a tag."""
    several, sure = len(items(record.get("arms"))) > 2, trusted(record)
    return [
        difference(raw, metric(raw), _slice_label(raw, several=several), trusted=sure)
        for raw in items(record.get("slices"))
    ]


def _slice_label(raw: Plain, *, several: bool) -> str:
    label = f"{text(raw.get('tag'))} = {text(raw.get('value'))}"
    return f"{label} · {text(raw.get('arm'))}" if several else label


def known(ends: Iterable[float | None]) -> list[float]:
    """Those that are known."""
    return [end for end in ends if end is not None]
