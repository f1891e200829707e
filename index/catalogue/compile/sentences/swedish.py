"""Swedish sentences."""

from __future__ import annotations

from ..facts import Facts, Money, Round
from ..tables import phrase
from .german import listed
from .writer import Writer

_MONTHS = (
    "januari", "februari", "mars", "april", "maj", "juni",
    "juli", "augusti", "september", "oktober", "november", "december",
)  # fmt: skip
_PERIOD = {"month": " i månaden", "year": " om året"}


class Swedish(Writer):
    """Swedish."""

    language = "sv"

    def opening(self, facts: Facts) -> str:
        kind = phrase(f"kind:{facts.kind}", "sv")
        text = kind[:1].upper() + kind[1:]
        if facts.provider:
            text += f" från {facts.provider}"
        if facts.levels:
            text += f", {listed(self.words('level', facts.levels), 'och')}"
        hosts = self.places(facts.hosts)
        return text + "." + (f" Studieland: {listed(hosts, 'och')}." if hosts else "")

    def fields(self, facts: Facts) -> str:
        if facts.fields:
            return f"Ämnesområden: {', '.join(self.words('field', facts.fields))}."
        return "Öppet för alla ämnen." if facts.any_field else ""

    def money(self, money: Money) -> str:
        period = _PERIOD.get(money.period or "", "")
        high = f"{money.high or money.low or 0:,.0f}".replace(",", " ")
        return f"Belopp: {'högst ' if money.low is None else ''}{high} {money.currency}{period}."

    def covers(self, facts: Facts) -> str:
        words = self.words("cover", tuple(facts.coverage))
        return f"Täcker: {listed(words, 'och')}." if words else ""

    def always(self) -> str:
        return "Ansökan kan göras när som helst."

    def dated(self, rounds: list[Round]) -> str:
        days = [f"{day.day} {_MONTHS[day.month - 1]} {day.year}" for day in (item.deadline_on for item in rounds) if day]
        opens = rounds[0].opens_on if len(rounds) == 1 else None
        if opens:
            return f"Ansökan öppnar {opens.day} {_MONTHS[opens.month - 1]} {opens.year} och stänger {days[0]}."
        return f"Sista ansökningsdag: {listed(days, 'och')}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        return f"Sista ansökningsdag varje år: {listed([f'{day} {_MONTHS[month - 1]}' for month, day in month_days], 'och')}."

    def nationalities(self, facts: Facts) -> str:
        names = self.places(facts.nationalities) if facts.nationalities != ("any",) else []
        return f"För medborgare i {listed(names, 'eller')}." if names else ""

    def note(self, key: str, value: str) -> str:
        return ""
