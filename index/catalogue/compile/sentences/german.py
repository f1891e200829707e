"""German sentences."""

from __future__ import annotations

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
_PERIOD = {"month": " im Monat", "year": " im Jahr"}


def dotted(value: float) -> str:
    """A sum with dots for thousands."""
    return f"{value:,.0f}".replace(",", ".")


def listed(words: list[str], word: str) -> str:
    """The words as a list with `word` before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


class German(Writer):
    """German."""

    language = "de"

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        text = phrase(f"kind:{facts.kind}", "de")
        if facts.provider:
            text += f" ({facts.provider})"
        if self.levels(facts):
            text += f" für: {listed(self.levels(facts), 'und')}"
        hosts = self.places(facts.hosts)
        return text + "." + (f" Studienland: {listed(hosts, 'und')}." if hosts else "")

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            return f"Fachgebiete: {', '.join(self.words('field', facts.fields))}."
        return "Offen für alle Fächer." if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        period = _PERIOD.get(money.period or "", "")
        if money.low is not None and money.high is not None and money.low != money.high:
            return f"Höhe: {dotted(money.low)} bis {dotted(money.high)} {money.currency}{period}."
        if money.low is None:
            return f"Höhe: bis zu {dotted(money.high or 0)} {money.currency}{period}."
        return f"Höhe: {dotted(money.low)} {money.currency}{period}."

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
        words = self.words("cover", tuple(tag for tag in facts.coverage if tag != "full"))
        head = "Vollstipendium." if "full" in facts.coverage else ""
        rest = f"Übernommen werden: {listed(words, 'und')}." if words else ""
        return f"{head} {rest}".strip()

    def always(self) -> str:
        """Applications at any time."""
        return "Bewerbungen sind ganzjährig möglich."

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        days = [
            f"{day.day}. {_MONTHS[day.month - 1]} {day.year}"
            for day in (item.deadline_on for item in rounds)
            if day
        ]
        return f"Bewerbungsschluss: {listed(days, 'und')}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        days = [f"{day}. {_MONTHS[month - 1]}" for month, day in month_days]
        return f"Bewerbungsschluss jedes Jahr am {listed(days, 'und am')}."

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        if facts.nationalities == ("any",):
            return "Offen für alle Nationalitäten."
        names = self.places(facts.nationalities)
        return f"Staatsangehörigkeit: {listed(names, 'oder')}." if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        patterns = {"age_max": "Alter bis {} Jahre.", "age": "Alter {} Jahre.", "places": "Anzahl: {}."}
        return patterns[key].format(value) if key in patterns else ""
