"""Something with several names: a country, a level, a field, a group of people, a programme, an abbreviation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["programme", "abbreviation", "country", "concept"]


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity.

    surfaces: every way it is written, in any language; what a query may contain.
    names: the ways it is written in indexed text, in English or the programme's own language; what is looked up.
    country: ISO code it belongs to, for telling apart entities that share a surface.
    facet: what a concept says of an award (level, field, group, region, coverage, activity, provider, award).
    """

    name: str
    kind: Kind
    surfaces: tuple[str, ...]
    names: tuple[str, ...]
    country: str | None = None
    facet: str | None = None
