"""Sums of money, only where the currency and the meaning of the number are certain."""

from __future__ import annotations

import re

from index.catalogue.compile.facts import Money

_UP_TO = re.compile(r"up to|max|högst|至多|最高|最多|최대|สูงสุด|ไม่เกิน|bis zu|hasta|do \d", re.I)
_FROM = re.compile(
    r"\bover\b|\bfrom\b(?!.*\bto\b)|minimum|at least|more than|至少|최소|starting|\+\s*$", re.I
)
_MONTH = re.compile(
    r"per month|/ ?mo(?:nth)?\b|monthly|a month|each month|monatlich|每月|每個月|월\s|월\d|매월"
    r"|/เดือน|al mes|mensual",
    re.I,
)
_YEAR = re.compile(
    r"per (?:year|annum|academic year)|/ ?(?:yr|year)\b|annual|yearly|a year|each year|p\.\s?a\."
    r"|jährlich|每學年|每年|연간|/ปี|al año|per anno",
    re.I,
)
_OTHER_PERIOD = re.compile(
    r"semester|trimester|quarter|per week|weekly|per hour|per credit|per course|學期|학기|매 학기|per term",
    re.I,
)
_NOT_A_SUM = re.compile(r"\d\s?%|percent|per cent|average|total budget|application fee|倍", re.I)
_RANGE = re.compile(
    r"(\d[\d,.']*)\s*(?:万|萬|만)?\s*(?:元|원|[A-Z]{3}|[€£$₹])?\s*(?:-|–|~|～|to|至"
    r"|〜)\s*(?:[A-Z]{0,3}[€£$₹]?)\s*(\d[\d,.']*)"
)
_FLOOR = {"USD": 50, "EUR": 50, "GBP": 50, "AUD": 50, "CAD": 50, "NZD": 50, "CHF": 50, "SGD": 50, "INR": 300,
          "TWD": 500, "KRW": 20000, "JPY": 5000, "SEK": 500}  # fmt: skip
_CEILING = {"USD": 300e3, "EUR": 300e3, "GBP": 250e3, "AUD": 300e3, "CAD": 300e3, "NZD": 300e3, "CHF": 300e3,
            "INR": 10e6, "TWD": 4e6, "KRW": 2e8, "JPY": 3e7, "SEK": 3e6}  # fmt: skip


def period(text: str) -> str | None:
    """month, year or None; None too when the text mixes periods or names another one."""
    month, year = bool(_MONTH.search(text)), bool(_YEAR.search(text))
    if _OTHER_PERIOD.search(text) or month == year:
        return None
    return "month" if month else "year"


def _number(text: str) -> float | None:
    plain = re.sub(r"[,']", "", text).rstrip(".")
    try:
        return float(plain)
    except ValueError:
        return None


def stated(text: str | None, low: float | None, high: float | None, currency: str | None) -> Money | None:
    """A sum from a source's numbers and wording; None unless the currency and the sense are sure."""
    if currency is None or (low is None and high is None):
        return None
    words = text or ""
    if len(words) > 160 or (_NOT_A_SUM.search(words) and not re.search(r"\+|plus|and", words)):
        return None
    span = _RANGE.search(words)
    if span:
        first, second = _number(span[1]), _number(span[2])
        if first and second and first < second and second == high:
            low, high = first, second
    elif low == high and _UP_TO.search(words):
        low = None
    elif low == high and _FROM.search(words):
        high = None
    if low is not None and high is not None and low > high:
        return None
    if _MONTH.search(words) and _YEAR.search(words):
        return None
    for value in (low, high):
        if value is not None and not _FLOOR.get(currency, 1) <= value <= _CEILING.get(currency, 1e9):
            return None
    return Money(low, high, currency, period(words))


_RUPEES = re.compile(r"(?:₹|Rs\.?|INR)\s?(\d[\d,]*(?:\.\d+)?)\s*(lakhs?|crore)?", re.I)


def rupees(text: str | None) -> Money | None:
    """The sum in a text about an Indian award, when it names exactly one sum or one range in rupees."""
    if not text:
        return None
    sums = []
    for match in _RUPEES.finditer(text):
        value = _number(match[1])
        if value is None:
            return None
        unit = (match[2] or "").lower()
        sums.append(value * (100_000 if unit.startswith("lakh") else 10_000_000 if unit else 1))
    distinct = sorted(set(sums))
    if not distinct or len(distinct) > 2:
        return None
    if len(distinct) == 2 and not re.search(r"ranging from|between|[-–] ?(?:₹|Rs)|\bto (?:₹|Rs)", text):
        return None
    low: float | None = distinct[0]
    high: float | None = distinct[-1]
    if len(distinct) == 1 and re.search(r"up to|maximum|upto", text, re.I):
        low = None
    if not all(_FLOOR["INR"] <= value <= _CEILING["INR"] for value in distinct):
        return None
    return Money(low, high, "INR", period(text))
