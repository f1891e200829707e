"""What every language's writer does: which sentences, in which order. The words are the subclass's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import date

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.places import Gazetteer
from index.catalogue.compile.tables import phrase

_TRAIT_ORDER = (
    "women", "need", "merit", "refugee", "disability", "indigenous", "orphan", "emergency", "international",
    "domestic", "developing", "africa", "asia", "latin_america", "middle_east", "eastern_europe", "commonwealth",
    "eu", "non_eu",
)  # fmt: skip
_MOST_TRAITS = 6
_MOST_COUNTRIES = 6


class Writer(ABC):
    """Writes one language. `language` names the columns of our phrase tables."""

    language: str
    joint: str = " "
    comma: str = ", "

    def __init__(self, gazetteer: Gazetteer) -> None:
        self.gazetteer = gazetteer

    def description(self, facts: Facts) -> str:
        """What it is, what for, what it pays and when it closes."""
        parts = [
            self.opening(facts),
            self.fields(facts),
            self.worth(facts),
            self.covers(facts),
            self.closing(facts),
        ]
        return self.joint.join(part for part in parts if part)

    def eligibility(self, facts: Facts) -> str | None:
        """For whom, as far as known; None when nothing is known."""
        parts = [phrase(f"trait:{tag}", self.language) for tag in self.traits(facts)]
        parts += [self.nationalities(facts)]
        parts += [self.note(key, value) for key, value in facts.notes]
        return self.joint.join(dict.fromkeys(part for part in parts if part)) or None

    def traits(self, facts: Facts) -> list[str]:
        """The tags worth saying, the most telling first."""
        rank = {tag: position for position, tag in enumerate(_TRAIT_ORDER)}
        tags = [tag for tag in facts.traits if not (tag == "women_welcome" and "women" in facts.traits)]
        return sorted(tags, key=lambda tag: (rank.get(tag, 99), tag))[:_MOST_TRAITS]

    def words(self, prefix: str, keys: tuple[str, ...]) -> list[str]:
        """Our words for keys of one table."""
        return [phrase(f"{prefix}:{key}", self.language) for key in keys]

    def levels(self, facts: Facts) -> list[str]:
        """Our words for the levels of study; "other" is no word a reader looks for."""
        return self.words("level", tuple(level for level in facts.levels if level != "other"))

    def places(self, codes: tuple[str, ...]) -> list[str]:
        """The names of countries; none when there are too many to list."""
        known = [code for code in codes if self.gazetteer.known(code)]
        return (
            [self.gazetteer.name(code, self.language) for code in known]
            if len(known) <= _MOST_COUNTRIES
            else []
        )

    def closing(self, facts: Facts) -> str:
        """When one can apply."""
        dated = [item for item in facts.rounds if item.kind == "fixed"]
        yearly = [item for item in facts.rounds if item.kind == "recurring"]
        vague = [item for item in facts.rounds if item.kind == "unknown" and item.text]
        if any(item.kind == "rolling" for item in facts.rounds):
            return self.always()
        by_day = list({item.deadline_on: item for item in dated}.values())
        parts = [self.dated(by_day[-3:])] if by_day else []
        if yearly:
            parts.append(self.yearly([_month_day(item) for item in yearly[:4]]))
        if not parts and vague:
            parts.append(self.vague(vague[0].text or ""))
        return self.joint.join(parts)

    @abstractmethod
    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""

    @abstractmethod
    def fields(self, facts: Facts) -> str:
        """Fields of study."""

    @abstractmethod
    def money(self, money: Money) -> str:
        """A sum."""

    def worth(self, facts: Facts) -> str:
        """The sum, when one is certain."""
        return self.money(facts.money) if facts.money else ""

    @abstractmethod
    def covers(self, facts: Facts) -> str:
        """What is paid for."""

    @abstractmethod
    def always(self) -> str:
        """Applications at any time."""

    @abstractmethod
    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""

    @abstractmethod
    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""

    def vague(self, text: str) -> str:
        """A closing time that is no day; said in English only."""
        return ""

    @abstractmethod
    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""

    @abstractmethod
    def note(self, key: str, value: str) -> str:
        """A fact with a value; "" when this language does not say it."""


def _month_day(item: Round) -> tuple[int, int]:
    found = date.fromisoformat(f"2024-{(item.month_day or '--01-01')[2:]}")
    return found.month, found.day
