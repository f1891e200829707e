"""English sentences."""

from __future__ import annotations

import re

from ..days import ENGLISH_MONTHS
from ..facts import Facts, Money, Round
from ..tables import phrase
from .writer import Writer

_PERIOD = {"month": " a month", "year": " a year", "once": " once", "total": " in total", None: ""}


def listed(words: list[str], word: str = "and") -> str:
    """"a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def number(value: float) -> str:
    """A sum with thousands marks."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


class English(Writer):
    """English, also for records in languages that we do not write."""

    language = "en"

    def opening(self, facts: Facts) -> str:
        kind = phrase(f"kind:{facts.kind}", "en")
        levels = self.words("level", facts.levels)
        noun = f"{listed(levels)} {kind}" if levels and len(levels) <= 4 else kind
        article = "An" if re.match(r"(?:[aeio]|un)", noun, re.I) else "A"
        text = f"{article} {noun}"
        if facts.provider:
            text += f" from {facts.provider}"
        hosts = self.places(facts.hosts)
        if hosts:
            text += f" for study in {listed(hosts)}"
        return text if text.endswith(".") else text + "."

    def fields(self, facts: Facts) -> str:
        if facts.fields:
            names = self.words("field", facts.fields)
            return f"{'Field' if len(names) == 1 else 'Fields'}: {', '.join(names)}."
        return "Open to any field of study." if facts.any_field else ""

    def money(self, money: Money) -> str:
        period = _PERIOD[money.period]
        if money.low is not None and money.high is not None and money.low != money.high:
            return f"Worth {money.currency} {number(money.low)} to {number(money.high)}{period}."
        if money.low is None and money.high is not None:
            return f"Worth up to {money.currency} {number(money.high)}{period}."
        if money.high is None and money.low is not None:
            return f"Worth {money.currency} {number(money.low)} or more{period}."
        return f"Worth {money.currency} {number(money.low or 0)}{period}."

    def covers(self, facts: Facts) -> str:
        tags = list(facts.coverage)
        full = "full" in tags
        words = self.words("cover", tuple(tag for tag in tags if tag != "full"))
        if full and words:
            return f"Fully funded: covers {listed(words)}."
        if full:
            return "Fully funded."
        if tags == ["tuition-part"]:
            return "Reduces the tuition fees."
        return f"Covers {listed(words)}." if words else ""

    def always(self) -> str:
        return "Applications are accepted at any time."

    def dated(self, rounds: list[Round]) -> str:
        texts = []
        for item in rounds:
            day = item.deadline_on
            words = f"{day.day} {ENGLISH_MONTHS[day.month - 1]} {day.year}" if day else ""
            texts.append(words)
        if len(rounds) == 1 and rounds[0].opens_on:
            opens = rounds[0].opens_on
            return f"Applications from {opens.day} {ENGLISH_MONTHS[opens.month - 1]} {opens.year} to {texts[0]}."
        return f"Closing date: {texts[0]}." if len(texts) == 1 else f"Closing dates: {listed(texts)}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        days = listed([f"{day} {ENGLISH_MONTHS[month - 1]}" for month, day in month_days])
        return f"Applications close each year on {days}."

    def vague(self, text: str) -> str:
        return f"Applications close {text}." if "not confirmed" not in text else f"Expected closing date: {text}."

    def nationalities(self, facts: Facts) -> str:
        if facts.nationalities == ("any",):
            return "Open to all nationalities."
        names = self.places(facts.nationalities)
        return f"For citizens of {listed(names, 'or')}." if names else ""

    def note(self, key: str, value: str) -> str:
        if key == "citizens_or_residents":
            return f"For citizens or permanent residents of {self.gazetteer.name(value, 'en')}."
        patterns = {
            "residence": "For residents of {}.", "origin": "For people from {}.", "income_max": "Family income at most {} a year.",
            "marks_min": "Marks of at least {}.", "gpa_min": "Grade average of at least {}.", "age_max": "Age up to {}.",
            "age": "Age {}.", "categories": "Categories: {}.", "places": "{} awards.", "degree_held": "Asks for a {}'s degree.",
        }  # fmt: skip
        return patterns[key].format(value) if key in patterns else ""
