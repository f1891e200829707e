"""Polish sentences."""

from __future__ import annotations

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.german import listed
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_MONTHS = (
    "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca",
    "lipca", "sierpnia", "września", "października", "listopada", "grudnia",
)  # fmt: skip
_PERIOD = {"month": " miesięcznie", "year": " rocznie"}


class Polish(Writer):
    """Polish, in label style so that no case ending can be wrong."""

    language = "pl"

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        kind = phrase(f"kind:{facts.kind}", "pl")
        text = kind[:1].upper() + kind[1:] + "."
        if facts.provider:
            text += f" Fundator: {facts.provider}."
        if self.levels(facts):
            text += f" Etap: {', '.join(self.levels(facts))}."
        hosts = self.places(facts.hosts)
        return text + (f" Kraj: {', '.join(hosts)}." if hosts else "")

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            return f"Dziedziny: {', '.join(self.words('field', facts.fields))}."
        return "Wszystkie kierunki." if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        period = _PERIOD.get(money.period or "", "")
        high = f"{money.high or money.low or 0:,.0f}".replace(",", " ")
        return f"Kwota: {'do ' if money.low is None else ''}{high} {money.currency}{period}."

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
        words = self.words("cover", tuple(facts.coverage))
        return f"Obejmuje: {', '.join(words)}." if words else ""

    def always(self) -> str:
        """Applications at any time."""
        return "Nabór trwa cały rok."

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        days = [
            f"{day.day} {_MONTHS[day.month - 1]} {day.year} r."
            for day in (item.deadline_on for item in rounds)
            if day
        ]
        return f"Termin składania wniosków: {listed(days, 'i')}"

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        return f"Termin co roku: {listed([f'{day} {_MONTHS[month - 1]}' for month, day in month_days], 'i')}."

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        names = self.places(facts.nationalities) if facts.nationalities != ("any",) else []
        return f"Obywatelstwo: {', '.join(names)}." if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        return ""
