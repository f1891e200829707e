"""One scholarship as the index holds it. Unknown is None, never 0, "" or "any".

`("any",)` in `eligible_nationalities` is a stated fact (open to the world), not a missing one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

WindowKind = Literal["fixed", "rolling", "recurring", "unknown"]
Period = Literal["once", "month", "year", "total"]


@dataclass(frozen=True, slots=True)
class Window:
    """One application round.

    opens_on, deadline_on: calendar days in `zone`; the deadline day itself is still open.
    month_day: "--MM-DD", a day without a year (kind recurring, deadline_on None).
    time: "HH:MM" local closing time; None = end of the day. zone: IANA name or "AoE"; None = not stated.
    """

    opens_on: date | None = None
    deadline_on: date | None = None
    month_day: str | None = None
    time: str | None = None
    zone: str | None = None
    kind: WindowKind = "unknown"
    cycle: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Amount:
    """Money as stated. `currency` (ISO 4217) is set only when certain; `text` keeps the source's wording."""

    min: float | None = None
    max: float | None = None
    currency: str | None = None
    period: Period | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Translation:
    """Title and description in another language."""

    title: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A fact that the source states and that could not be read for certain: its field, the words, and why not."""

    field: str
    text: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RegionRule:
    """A region that stands where countries could: "EU citizens".

    field: host_countries or eligible_nationalities. region: a code of `index.regions`. on: the day whose members
    are meant. text: the words of the source.
    """

    field: str
    region: str
    on: date
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One programme, or one source's record of it; the fields of the public record."""

    doc_id: str
    title: str
    aliases: tuple[str, ...] = ()
    provider: str | None = None
    description: str | None = None
    eligibility: str | None = None
    host_countries: tuple[str, ...] | None = None
    eligible_nationalities: tuple[str, ...] | None = None
    levels: tuple[str, ...] | None = None
    fields: tuple[str, ...] | None = None
    amount: Amount | None = None
    coverage: tuple[str, ...] | None = None
    windows: tuple[Window, ...] = ()
    programme_id: str | None = None
    language: str | None = None
    translations: Mapping[str, Translation] = field(default_factory=dict)
    url: str | None = None
    source: str | None = None
    licence: str | None = None
    verified_on: date | None = None
    updated_at: datetime | None = None
    regions: tuple[RegionRule, ...] = ()
    doubts: tuple[Doubt, ...] = ()
