"""What a query asks for, as facts: the other side of the oracle's comparison."""

from __future__ import annotations

from dataclasses import dataclass

from index.timeintent import NO_INTENT, TimeIntent


@dataclass(frozen=True, slots=True)
class Need:
    """The asker's wants; an empty value was not asked.

    names: ids of the records of the programme that is named; then nothing else but time and `level` counts.
    level: one of the record's levels. country: where to study, ISO code. field: ISCED-F code.
    nationality: the asker's, ISO code. homes: where somebody who writes in this language most likely comes from, when
    they do not say; empty for a language of the world. group: a trait of the asker, such as "women".
    coverage: "full", "tuition" and so on. place: a state or city. category: a caste or community.
    provider: key of a giver. is_abroad: they want to leave their country. intent: what is asked of time.
    """

    names: frozenset[str] = frozenset()
    level: str | None = None
    country: str | None = None
    field: str | None = None
    nationality: str | None = None
    homes: frozenset[str] = frozenset()
    group: str | None = None
    coverage: str | None = None
    place: str | None = None
    category: str | None = None
    provider: str | None = None
    is_abroad: bool = False
    intent: TimeIntent = NO_INTENT
