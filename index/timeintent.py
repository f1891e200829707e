"""What a query asks of time, read from its words and resolved against the day of the question.

English, Chinese (both scripts), German, Spanish, Korean, and the Swedish months. Careful rather than greedy: a month
counts only beside a preposition, a day, a year or a word for closing ("may" and "march" are verbs too), a season
only beside a year or a word that places it ("summer school" is no time), a year only as a number of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from index import timewords as tw
from index.analyzer import normalise

IntentKind = Literal["none", "open_now", "deadline_question", "period", "past"]


@dataclass(frozen=True, slots=True)
class TimeIntent:
    """What the asker wants to know of time.

    kind: `open_now` wants what can be applied for at this moment; `deadline_question` wants to know a day; `period`
    names a stretch of time; `past` speaks of what is over. start, end: the first and last day on which applying would
    suit, each None when open. A term of study lies after them: "fall 2027" is applied for in the year before it.
    """

    kind: IntentKind = "none"
    start: date | None = None
    end: date | None = None


NO_INTENT = TimeIntent()

Span = tuple[date | None, date | None]

_SOON_DAYS = 30
_MINGUO_EPOCH = 1911
_DECEMBER = 12
_MONTH = "(?:" + "|".join(sorted(map(re.escape, tw.MONTHS), key=len, reverse=True)) + r")(?!\w)\.?"
_SEASON = "(?:" + "|".join(sorted(map(re.escape, tw.SEASONS), key=len, reverse=True)) + ")"
_YEAR = r"(?:200[4-9]|20[1-4]\d)"
_PLACED = rf"(?P<place>{tw.BEFORE}|{tw.BY}|{tw.IN})"

_ACADEMIC = re.compile(rf"(?<![\d-])(?P<first>{_YEAR})(?:\s?[-/–—~至]\s?|\s)(?:20)?(?P<second>\d\d)(?![\d-])")
_MINGUO = re.compile(r"(?<!\d)(?P<year>1[0-4]\d)\s*(?:学年|學年)")
_DAY = re.compile(
    rf"(?:{_PLACED}\s+)?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})"
    rf"|(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))(?:,?\s+(?:de\s+)?(?P<year>{_YEAR}))?"
)
_DAY_CJK = re.compile(
    rf"(?:(?P<year>{_YEAR})\s*[年년]\s*)?(?P<month>1[0-2]|0?[1-9])\s*[月월]\s*(?P<day>[12]\d|3[01]|0?[1-9])\s*[日号號일]\s*(?P<mark>之?前|以前|까지|전|에)?"
)
_MONTH_NAMED = re.compile(
    rf"(?:{_PLACED}\s+(?:(?P<part>the end of|end of|late|early|mid|ende|anfang|mitte|fines de|slutet av)\s+)?"
    rf"(?P<month>{_MONTH})|(?<!\w)(?P<month2>{_MONTH}))(?:\s+(?:de\s+)?(?P<year>{_YEAR}))?"
)
_MONTH_CJK = re.compile(
    rf"(?:(?P<year>{_YEAR})\s*[年년]\s*)?(?<!\d)(?P<month>1[0-2]|0?[1-9])\s*(?:月|월)(?!\d)\s*(?P<mark>底之?前|末之?前|底|末|之?前|以前|까지|전|말까지|말)?"
)
_SEASON_NAMED = re.compile(
    rf"(?:(?P<place>this|next|coming|upcoming|for|in|im|diesen|diesem|kommenden|nächsten|este|esta|próximo|próxima|"
    rf"esta|en|i|nästa|来年|明年|今年|这个|這個|올해|이번|내년)\s?(?:the |der |la |el )?)?"
    rf"(?<![^\W\d一-鿿가-힣])(?P<season>{_SEASON})(?![^\W\d一-鿿가-힣])(?:\s+(?:intake|semester|term|entry|session|admission)s?)?"
    rf"(?:\s+(?:de\s+)?(?P<year>{_YEAR}))?"
)
_YEAR_SEASON = re.compile(rf"(?P<year>{_YEAR})\s*(?:年|년)?\s*(?P<season>{_SEASON})")
_BARE_YEAR = re.compile(
    rf"(?<![\d\-/.,$€£])(?:{_PLACED}\s+)?(?P<year>{_YEAR})(?![\d\-/,]|\.\d)(?P<mark>\s*年?(?:之?前|以前))?"
)
_RELATIVE: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "this_month",
        tw.words(r"(?:this|diesen|este) (?:month|monat|mes)", "本月", "这个月", "這個月", "이번 ?달"),
    ),
    (
        "next_month",
        tw.words(
            r"(?:next|nächsten|próximo|nästa) (?:month|monat|mes|månad)", "下个?月", "下個月", "다음 ?달"
        ),
    ),
    (
        "this_week",
        tw.words(r"(?:this|diese|esta) (?:week|woche|semana)", "本周", "这周", "這週|本週", "이번 ?주"),
    ),
    (
        "year_end",
        tw.words(
            r"(?:before|by|until) (?:the )?end of (?:the|this) year",
            r"(?:bis|vor) jahresende",
            r"antes de(?:l)? (?:fin|final) de(?:l)? año",
            "年底(?:之?前)?",
            "연말(?:까지)?",
            r"before (?:christmas|new year)",
        ),
    ),
    (
        "next_year",
        tw.words(
            r"(?:next|nächstes|kommendes|próximo|nästa) (?:year|jahr|año|år)",
            r"año que viene",
            "明年",
            "내년",
        ),
    ),
    ("this_year", tw.words(r"(?:this|dieses|este|i) (?:year|jahr|año|år)", "今年", "올해")),
)


def time_intent(text: str, as_of: date) -> TimeIntent:
    """What `text` asks of time on the day `as_of`; kind "none" when it says nothing of it."""
    plain = normalise(text).casefold()
    closing = tw.DEADLINE.search(plain) is not None
    span, is_exact = _span(plain, as_of, closing)
    first, last = span or (None, None)
    if tw.PAST.search(plain) or (last is not None and last < as_of and not closing):
        return TimeIntent("past", first, last)
    if tw.SOON.search(plain):
        return TimeIntent("period", as_of, as_of + timedelta(days=_SOON_DAYS))
    if is_exact:
        return TimeIntent("period", first, last)
    if closing:
        return TimeIntent("deadline_question", first, last)
    if tw.OPEN_NOW.search(plain):
        return TimeIntent("open_now", first, last)
    return replace(NO_INTENT, kind="period", start=first, end=last) if span else NO_INTENT


def _span(plain: str, as_of: date, closing: bool) -> tuple[Span | None, bool]:
    """The stretch named, and whether by something more exact than a year; None when nothing is named."""
    intake = tw.INTAKE.search(plain) is not None
    for read in (_day, _academic, _season, _month):
        if (span := read(plain, as_of, closing, intake)) is not None:
            return span, read is not _academic
    for name, pattern in _RELATIVE:
        if pattern.search(plain):
            return _relative(name, as_of), name not in ("this_year", "next_year")
    if found := _BARE_YEAR.search(plain):
        year = int(found["year"])
        if intake:
            return (date(year - 1, 7, 1), date(year, 9, 30)), False
        before = found["mark"] or (found["place"] and re.fullmatch(tw.BEFORE, found["place"]))
        if before:
            return (None, date(year - 1, 12, 31)), False
        # What is asked for next year is applied for from now on.
        begins = as_of if as_of.year == year - 1 else date(year, 1, 1)
        return (begins, date(year, 12, 31)), False
    return None, False


def _day(plain: str, as_of: date, closing: bool, intake: bool) -> Span | None:
    if found := _DAY_CJK.search(plain):
        month, day, place = int(found["month"]), int(found["day"]), found["mark"] or ""
    elif found := _DAY.search(plain):
        month = tw.MONTHS[(found["month"] or found["month2"]).rstrip(".")]
        day, place = int(found["day"] or found["day2"]), found["place"] or ""
    else:
        return None
    try:
        named = date(int(found["year"]) if found["year"] else as_of.year, month, day)
        if not found["year"] and named < as_of:
            named = named.replace(year=named.year + 1)
    except ValueError:
        return None
    is_limit = place in ("前", "之前", "以前", "전", "까지") or re.fullmatch(f"{tw.BEFORE}|{tw.BY}", place)
    return (min(as_of, named), named) if is_limit else (named, named)


def _academic(plain: str, as_of: date, closing: bool, intake: bool) -> Span | None:
    """An academic year, which is applied for from the January before it until its June."""
    if found := _ACADEMIC.search(plain):
        year = int(found["first"])
        if int(found["second"]) != (year + 1) % 100:
            return None
    elif found := _MINGUO.search(plain):
        year = int(found["year"]) + _MINGUO_EPOCH
    else:
        return None
    return date(year, 1, 1), date(year + 1, 6, 30)


def _season(plain: str, as_of: date, closing: bool, intake: bool) -> Span | None:
    found = _YEAR_SEASON.search(plain) or next(
        (match for match in _SEASON_NAMED.finditer(plain) if match["place"] or match["year"]), None
    )
    if found is None:
        return None
    month = tw.SEASONS[found["season"]]
    placed = "" if "place" not in found.groupdict() else (found["place"] or "")
    year = int(found["year"]) if found["year"] else _season_year(month, as_of, placed)
    begins = date(year, month, 1)
    names_term = found["year"] is not None and month != 6
    if not closing and (intake or names_term):  # a term: applied for in the year before it begins
        return begins - timedelta(days=365), begins + timedelta(days=29)
    return begins, _months_later(begins, 3) - timedelta(days=1)


def _season_year(month: int, as_of: date, placed: str) -> int:
    """The year in which the season that is meant begins: the running or the coming one."""
    if placed in ("next", "nächsten", "próximo", "próxima", "nästa", "明年", "来年", "내년"):
        return (
            as_of.year + 1
            if placed in ("明年", "来年", "내년") or as_of >= date(as_of.year, month, 1)
            else as_of.year
        )
    return as_of.year if _months_later(date(as_of.year, month, 1), 3) > as_of else as_of.year + 1


def _month(plain: str, as_of: date, closing: bool, intake: bool) -> Span | None:
    if found := _MONTH_CJK.search(plain):
        month, mark = int(found["month"]), found["mark"] or ""
        limit = "before" if mark in ("前", "之前", "以前", "전") else "by" if mark or "截止" in plain else ""
        if "个月" in plain or "個月" in plain or "개월" in plain:
            return None
    else:
        found = next((m for m in _MONTH_NAMED.finditer(plain) if m["month"] or m["year"] or closing), None)
        if found is None:
            return None
        month, place = tw.MONTHS[(found["month"] or found["month2"]).rstrip(".")], found["place"] or ""
        limit = "before" if re.fullmatch(tw.BEFORE, place) else "by" if re.fullmatch(tw.BY, place) else ""
        if limit == "before" and found["part"]:
            limit = "by"
    year = int(found["year"]) if found["year"] else as_of.year + (month < as_of.month)
    first = date(year, month, 1)
    last = first - timedelta(days=1) if limit == "before" else _months_later(first, 1) - timedelta(days=1)
    return (min(as_of, last), last) if limit else (first, last)


def _relative(name: str, as_of: date) -> Span:
    first = as_of.replace(day=1)
    match name:
        case "this_month":
            return as_of, _months_later(first, 1) - timedelta(days=1)
        case "next_month":
            return _months_later(first, 1), _months_later(first, 2) - timedelta(days=1)
        case "this_week":
            return as_of, as_of + timedelta(days=6 - as_of.weekday())
        case "next_year":
            return as_of, date(as_of.year + 1, 12, 31)
        case _:  # this year, or before it ends
            return as_of, date(as_of.year, 12, 31)


def _months_later(first: date, months: int) -> date:
    """The same day some months later; `first` is the first of a month."""
    years, month = divmod(first.month - 1 + months, _DECEMBER)
    return date(first.year + years, month + 1, 1)
