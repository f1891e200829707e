"""English sentences."""

from __future__ import annotations

import re

from index.catalogue.compile.days import ENGLISH_MONTHS
from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.sentences.writer import Writer
from index.catalogue.compile.tables import phrase

_PERIOD = {"month": " a month", "year": " a year", "once": " once", "total": " in total", None: ""}


def listed(words: list[str], word: str = "and") -> str:
    """The words as a list: a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def number(value: float) -> str:
    """A sum with thousands marks."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


# What people type for these countries.
_ALSO = {"the United Kingdom": " (UK)", "the United States": " (USA)", "the United Arab Emirates": " (UAE)"}
_TAKES_ARTICLE = re.compile(
    r"^(?:(?:University|Government|Ministry|Embassy|Department|Institute|College|School|Faculty"
    r"|Republic|State|City|Province"
    r"|Council|Association|Society|Organi[sz]ation|Commission|Board|Academy|Cent(?:er|re)"
    r"|Federation|Kingdom|Office|Agency"
    r"|Presidency|Republic|Fund|Foundation|Fellowship) (?:of|for)\b|(?:European|National|U\.?S\.?"
    r"|Royal|International|Federal)"
    r"\b.*\b(?:Commission|Council|Foundation|Fund|Agency|Institutes?|Academ(?:y|ies)|Department"
    r"|Society|Association)\b)"
)


def with_article(name: str) -> str:
    """The provider's name as it stands after "from"."""
    return f"the {name}" if _TAKES_ARTICLE.match(name) else name


class English(Writer):
    """English, also for records in languages that we do not write."""

    language = "en"

    def opening(self, facts: Facts) -> str:
        """Kind, level, provider and country."""
        kind = phrase(f"kind:{facts.kind}", "en")
        levels = self.levels(facts)
        noun = f"{listed(levels)} {kind}" if levels and len(levels) <= 4 else kind
        article = "An" if re.match(r"(?:[aeio]|un)", noun, re.I) else "A"
        text = f"{article} {noun}"
        if facts.provider:
            text += f" from {with_article(facts.provider)}"
        hosts = [f"{name}{_ALSO.get(name, '')}" for name in self.places(facts.hosts)]
        if hosts:
            text += f" for study in {listed(hosts)}"
        return text if text.endswith(".") else text + "."

    def fields(self, facts: Facts) -> str:
        """Fields of study."""
        if facts.fields:
            names = self.words("field", facts.fields)
            return f"{'Field' if len(names) == 1 else 'Fields'}: {', '.join(names)}."
        return "Open to any field of study." if facts.any_field else ""

    def money(self, money: Money) -> str:
        """A sum."""
        period = _PERIOD[money.period]
        if money.low is not None and money.high is not None and money.low != money.high:
            return f"Worth {money.currency} {number(money.low)} to {number(money.high)}{period}."
        if money.low is None and money.high is not None:
            return f"Worth up to {money.currency} {number(money.high)}{period}."
        if money.high is None and money.low is not None:
            return f"Worth {money.currency} {number(money.low)} or more{period}."
        return f"Worth {money.currency} {number(money.low or 0)}{period}."

    def covers(self, facts: Facts) -> str:
        """What is paid for."""
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
        """Applications at any time."""
        return "Applications are accepted at any time."

    def dated(self, rounds: list[Round]) -> str:
        """Rounds with known days."""
        texts = []
        for item in rounds:
            day = item.deadline_on
            words = f"{day.day} {ENGLISH_MONTHS[day.month - 1]} {day.year}" if day else ""
            texts.append(words)
        if len(rounds) == 1 and rounds[0].opens_on:
            opens = rounds[0].opens_on
            return (
                f"Applications from {opens.day} {ENGLISH_MONTHS[opens.month - 1]} {opens.year} to {texts[0]}."
            )
        return f"Closing date: {texts[0]}." if len(texts) == 1 else f"Closing dates: {listed(texts)}."

    def yearly(self, month_days: list[tuple[int, int]]) -> str:
        """Days that return every year."""
        days = listed([f"{day} {ENGLISH_MONTHS[month - 1]}" for month, day in month_days])
        return f"Applications close each year on {days}."

    def vague(self, text: str) -> str:
        """A closing time that is no day."""
        if "not confirmed" in text:
            return f"Expected closing date: {text}."
        if " to " in text:
            return f"Applications are taken from {text}."
        return f"Applications close {'at the ' if text.startswith('end of') else 'in '}{text}."

    def nationalities(self, facts: Facts) -> str:
        """Whose citizens may apply."""
        if facts.nationalities == ("any",):
            return "Open to all nationalities."
        names = self.places(facts.nationalities)
        return f"For citizens of {listed(names, 'or')}." if names else ""

    def note(self, key: str, value: str) -> str:
        """A fact with a value."""
        if key == "citizens_or_residents":
            return f"For citizens or permanent residents of {self.gazetteer.name(value, 'en')}."
        patterns = {
            "residence": "For residents of {}.",
            "origin": "For people from {}.",
            "income_max": "Family income at most {} a year.",
            "marks_min": "Marks of at least {}.",
            "gpa_min": "Grade average of at least {}.",
            "age_max": "Age up to {}.",
            "age": "Age {}.",
            "categories": "Categories: {}.",
            "places": "{} awards.",
            "degree_held": "Asks for a {}'s degree.",
        }
        return patterns[key].format(value) if key in patterns else ""
