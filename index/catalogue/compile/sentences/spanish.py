"""Spanish sentences."""

from __future__ import annotations

from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.english import number
from index.catalogue.compile.sentences.german import listed
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip
_PERIOD = {"month": " al mes", "year": " al año"}


class Spanish(Writer):
    """Spanish as used in Latin America."""

    language = "es"

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        kind = phrase(f"kind:{facts.kind}", "es")
        text = kind[:1].upper() + kind[1:]
        levels = self.levels(facts)
        if levels:
            text += f" de {listed(levels, 'y')}"
        hosts = self.places(facts.hosts)
        if hosts:
            text += f" para estudiar en {listed(hosts, 'y')}"
        return text + "." + (f" Otorga: {facts.provider}." if facts.provider else "")

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            return f"Áreas: {', '.join(self.words('field', facts.fields))}."
        return "Abierta a todas las áreas." if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        period = _PERIOD.get(money.period or "", "")
        if money.low is not None and money.high is not None and money.low != money.high:
            return f"Monto: de {money.currency} {number(money.low)} a {number(money.high)}{period}."
        if money.low is None:
            return f"Monto: hasta {money.currency} {number(money.high or 0)}{period}."
        return f"Monto: {money.currency} {number(money.low)}{period}."

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
        words = self.words("cover", tuple(tag for tag in facts.coverage if tag != "full"))
        head = "Beca completa." if "full" in facts.coverage else ""
        rest = f"Cubre {listed(words, 'y')}." if words else ""
        return f"{head} {rest}".strip()

    def always(self) -> str:
        """Applications at any time."""
        return "Se puede postular durante todo el año."

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        days = [
            f"{day.day} de {_MONTHS[day.month - 1]} de {day.year}"
            for day in (item.deadline_on for item in rounds)
            if day
        ]
        return f"Fecha límite: {listed(days, 'y')}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        return f"Cierra cada año el {listed([f'{day} de {_MONTHS[month - 1]}' for month, day in month_days], 'y el')}."

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        if facts.nationalities == ("any",):
            return "Abierta a todas las nacionalidades."
        names = self.places(facts.nationalities)
        return f"Para ciudadanos de {listed(names, 'o')}." if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        patterns = {"age": "Edad: {} años.", "age_max": "Edad máxima: {} años."}
        return patterns[key].format(value) if key in patterns else ""
