"""The dated table of regions: names in several languages, members with the days on which they came and left.

It tells the truth for the days from `FIRST_ON` to `LAST_ON`; a region that has no agreed list of members is known by
name and takes nobody in.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

FIRST_ON, LAST_ON = date(2015, 1, 1), date(2025, 12, 31)
"""The days for which the table was checked; a day before or after counts as the nearest of them."""


@dataclass(frozen=True, slots=True)
class Member:
    """A country of a region; since before `FIRST_ON` where `since` is None, `until` its last day in it."""

    country: str
    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class Region:
    """A region. name: in an English sentence. source: who says who its members are, "" where nobody does."""

    code: str
    name: str
    source: str
    spellings: tuple[str, ...]
    members: tuple[Member, ...]

    def on(self, day: date) -> frozenset[str]:
        """The codes of its members on a day."""
        day = checked(day)
        return frozenset(
            member.country
            for member in self.members
            if (member.since is None or member.since <= day) and (member.until is None or day <= member.until)
        )


@lru_cache(maxsize=1)
def regions() -> Mapping[str, Region]:
    """Code → region, in the order of the table."""
    members: dict[str, list[Member]] = {}
    for row in _rows("members.tsv"):
        member = Member(row["country"], _day(row["from"]), _day(row["to"]))
        members.setdefault(row["region"], []).append(member)
    return MappingProxyType(
        {
            row["code"]: Region(
                row["code"],
                row["name"],
                row["source"],
                tuple(row["spellings"].split("|")),
                tuple(members.get(row["code"], ())),
            )
            for row in _rows("names.tsv")
        }
    )


@lru_cache(maxsize=1)
def spellings() -> Mapping[str, str]:
    """Spelling in small letters → code of the region."""
    return MappingProxyType({text: region.code for region in regions().values() for text in region.spellings})


def checked(day: date | None) -> date:
    """The day of the table that speaks for `day`; its last where no day is known."""
    return LAST_ON if day is None else min(max(day, FIRST_ON), LAST_ON)


def _rows(name: str) -> list[dict[str, str]]:
    lines = (files(__package__) / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
