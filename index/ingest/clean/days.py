"""Calendar days in a text: ISO, numbers in an order that is known, names of months, ROC and Buddhist years.

A day without a year is a day of the year. What could be two days, or lies outside the years a record may name, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from index.ingest.clean.months import month_pattern, months

Order = Literal["dmy", "mdy"]

FIRST_YEAR, LAST_YEAR = 1990, 2150
"""The years of a round of applications; a year outside them is a typing error."""
_EPOCH = date(1899, 12, 30)
_SERIALS = range(36_526, 62_094)
"""Excel's serial numbers of the days of 2000 to 2069; other numbers in a date column are not dates."""
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-]|\.\d)")
_TIME = r"(?:[T ]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"


@dataclass(frozen=True, slots=True)
class Day:
    """A day found at text[start:end]; `year` is None when the text names none."""

    start: int
    end: int
    year: int | None
    month: int
    day: int

    def on(self) -> date | None:
        """The calendar day; None without a year."""
        return None if self.year is None else date(self.year, self.month, self.day)

    def of_the_year(self) -> str:
        """The day as "--MM-DD"."""
        return f"--{self.month:02d}-{self.day:02d}"


def decide_order(values: Iterable[str]) -> Order | None:
    """The order of day and month in a column, from the values that show it; None if none does or they disagree."""
    seen: set[Order] = set()
    for value in values:
        for first, _, second, _ in _NUMERIC.findall(value):
            if int(first) > 12 >= int(second):
                seen.add("dmy")
            elif int(second) > 12 >= int(first):
                seen.add("mdy")
    return seen.pop() if len(seen) == 1 else None


def from_serial(value: object) -> date | None:
    """The day of a bare Excel serial number (45981 = 2025-11-20), None for any other value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{5}(?:\.0+)?", value.strip()):
        value = float(value)
    if isinstance(value, int | float) and _SERIALS.start <= value < _SERIALS.stop:
        return _EPOCH + timedelta(days=int(value))
    return None


def find_days(text: str, order: Order | None = None) -> tuple[Day, ...]:
    """The days that `text` names, in its order. `order` is what a date in slashes or hyphens is read in."""
    found: list[Day] = []
    if not any(map(str.isdigit, text)):
        return ()
    for match in _named().finditer(text):
        day = _day(match, order)
        if day is not None:
            found.append(day)
    return tuple(found)


def _day(match: re.Match[str], order: Order | None) -> Day | None:
    group = match.groupdict()
    if group["iso_year"]:
        return _valid(match, _full_year(group["iso_year"], match[0]), group["iso_month"], group["iso_day"])
    if group["cjk_month"]:
        year = group["cjk_year"]
        return _valid(
            match, None if year is None else _cjk_year(int(year)), group["cjk_month"], group["cjk_day"]
        )
    if group["separator"]:
        return _numeric(match, order)
    name = group["month_a"] or group["month_b"]
    month = months()[name.casefold().rstrip(".")]
    year = group["year_a"] or group["year_b"]
    thai = name[0] >= "\u0e00"
    return _valid(
        match,
        None if year is None else _full_year(year, "พ.ศ." if thai else ""),
        month,
        group["day_a"] or group["day_b"],
    )


def _numeric(match: re.Match[str], order: Order | None) -> Day | None:
    first, second, year = int(match["first"]), int(match["second"]), match["last"]
    if first > 12 >= second:
        shown: Order | None = "dmy"
    elif second > 12 >= first:
        shown = "mdy"
    elif first == second:
        shown = order or "dmy"
    else:
        # Dots are written day first everywhere; slashes and hyphens are not.
        shown = order or ("dmy" if match["separator"] == "." else None)
    if shown is None or (len(year) == 2 and order is None):
        return None
    day, month = (first, second) if shown == "dmy" else (second, first)
    return _valid(match, _full_year(year if len(year) == 4 else f"20{year}", ""), month, day)


def _valid(match: re.Match[str], year: int | None, month: object, day: object) -> Day | None:
    month, day = int(str(month)), int(str(day))
    if not 1 <= month <= 12 or not 1 <= day <= _LENGTHS[month - 1]:
        return None
    if year is not None:
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        try:
            date(year, month, day)
        except ValueError:
            return None
    return Day(match.start(), match.end(), year, month, day)


def _full_year(year: str, around: str) -> int:
    """A written year in the common era; a Buddhist one is 543 years ahead, where Thai says so."""
    value = int(year)
    return value - 543 if "พ.ศ." in around or 2500 <= value <= 2650 else value


def _cjk_year(year: int) -> int:
    """A year before 年: of the common era, or of the Republic of China (115 = 2026)."""
    return year + 1911 if year < 200 else year


@lru_cache(maxsize=1)
def _named() -> re.Pattern[str]:
    month = month_pattern()
    ordinal = r"(?:st|nd|rd|th|er|º|ª)?"
    return re.compile(
        rf"(?<![\d-])(?P<iso_year>\d{{4}})(?P<iso_mark>[-/.])(?P<iso_month>\d{{1,2}})(?P=iso_mark)(?P<iso_day>\d{{1,2}})(?!\d){_TIME}"
        r"|(?<!\d)(?:(?P<cjk_year>\d{2,4})\s?[年년]\s?)?(?P<cjk_month>\d{1,2})\s?[月월]\s?(?P<cjk_day>\d{1,2})\s?[日號号일]"
        rf"|(?<![\d./-])(?P<first>\d{{1,2}})(?P<separator>[./-])(?P<second>\d{{1,2}})(?P=separator)(?P<last>\d{{4}}|\d{{2}})(?![\d/-]|\.\d){_TIME}"
        rf"|(?<![\d\w])(?P<day_a>\d{{1,2}})(?:\.|{ordinal})[\s,-]*(?:of |de |d')?(?P<month_a>{month})\b\.?,?"
        rf"(?:[\s-]*(?:de |del )?(?:พ\.ศ\.\s?)?(?P<year_a>\d{{4}}))?(?!\d)"
        rf"|\b(?P<month_b>{month})\b\.?\s*(?P<day_b>\d{{1,2}}){ordinal}(?![\d:%]|\s?/)(?:,?\s+(?P<year_b>\d{{4}}))?(?!\d)",
        re.IGNORECASE,
    )
