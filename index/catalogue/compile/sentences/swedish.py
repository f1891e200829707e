"""Swedish sentences."""

from __future__ import annotations

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.german import listed
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_MONTHS = (
    "januari", "februari", "mars", "april", "maj", "juni",
    "juli", "augusti", "september", "oktober", "november", "december",
)  # fmt: skip
_PERIOD = {"month": " i månaden", "year": " om året"}


class Swedish(Writer):
    """Swedish."""

    language = "sv"

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        kind = phrase(f"kind:{facts.kind}", "sv")
        text = kind[:1].upper() + kind[1:]
        if facts.provider:
            text += f" från {facts.provider}"
        if self.levels(facts):
            text += f", {listed(self.levels(facts), 'och')}"
        hosts = self.places(facts.hosts)
        return text + "." + (f" Studieland: {listed(hosts, 'och')}." if hosts else "")

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            return f"Ämnesområden: {', '.join(self.words('field', facts.fields))}."
        return "Öppet för alla ämnen." if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        period = _PERIOD.get(money.period or "", "")
        high = f"{money.high or money.low or 0:,.0f}".replace(",", " ")
        return f"Belopp: {'högst ' if money.low is None else ''}{high} {money.currency}{period}."

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
        words = self.words("cover", tuple(facts.coverage))
        return f"Täcker: {listed(words, 'och')}." if words else ""

    def always(self) -> str:
        """Applications at any time."""
        return "Ansökan kan göras när som helst."

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        days = [
            f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
            for day in (item.deadline_on for item in rounds)
            if day
        ]
        opens = rounds[0].opens_on if len(rounds) == 1 else None
        if opens:
            return (
                f"Ansökan öppnar {opens.day} {_MONTHS[opens.month - 1]} {opens.year} och stänger {days[0]}."
            )
        return f"Sista ansökningsdag: {listed(days, 'och')}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        days = [f"{day} {_MONTHS[month - 1]}" for month, day in month_days]
        return f"Sista ansökningsdag varje år: {listed(days, 'och')}."

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        names = self.places(facts.nationalities) if facts.nationalities != ("any",) else []
        return f"För medborgare i {listed(names, 'eller')}." if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        return f"För boende i {value}." if key == "residence" else ""
