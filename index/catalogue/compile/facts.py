"""What is known about one programme before it is put into words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

Row = Mapping[str, Any]
"""One record of a source as its JSON line holds it; read at the edge, turned into `Facts` at once."""

Note = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Round:
    """One application round. Days are calendar days; `month_day` is "--MM-DD" when the year is not known.

    kind: fixed, rolling, recurring or unknown, as in the public record.
    """

    kind: str
    opens_on: date | None = None
    deadline_on: date | None = None
    month_day: str | None = None
    cycle: str | None = None
    text: str | None = None

    @property
    def order(self) -> tuple[str, str, str, str, str]:
        """Fixed rounds by date, then recurring days, then the rest."""
        rank = {"fixed": "0", "recurring": "1", "rolling": "2"}.get(self.kind, "3")
        day = self.deadline_on or self.opens_on
        opens = self.opens_on.isoformat() if self.opens_on else ""
        return (rank, day.isoformat() if day else "", opens, self.month_day or "", self.text or "")


@dataclass(frozen=True, slots=True)
class Money:
    """A sum with a certain currency. period: once, month, year or total; None when not stated."""

    low: float | None
    high: float | None
    currency: str
    period: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """One source's facts about one programme.

    levels, fields, coverage and traits hold keys of our tables; `notes` holds (key, value) facts that
    need a value, such as ("residence", "West Bengal") or ("income_max", "INR 250000").
    """

    source: str
    source_id: str
    title: str
    language: str
    provider: str | None = None
    aliases: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    nationalities: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    any_field: bool = False
    kind: str = "scholarship"
    money: Money | None = None
    coverage: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    rounds: tuple[Round, ...] = ()
    url: str | None = None
    slug: str | None = None
    programme_key: str | None = None
    sources: tuple[str, ...] = field(default=())

    @property
    def note(self) -> dict[str, str]:
        """The notes as a mapping; the first value of a key counts."""
        return dict(reversed(self.notes))


def facts_with(facts: Facts, notes: Iterable[Note], **changes: object) -> Facts:
    """The facts with more notes and other changes."""
    return replace(facts, notes=(*facts.notes, *notes), **changes)  # type: ignore[arg-type]
