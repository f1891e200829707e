"""Sums of money in a text, one by one: value, currency, period, and the part each plays in its sentence.

Over 250 lines: a third of them are the words of eight languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from index.ingest.clean.currency import AMBIGUOUS, DOLLAR, currency_of, mark_pattern
from index.ingest.clean.number import NUMBER, UNIT, is_grouped, read_number

Role = Literal["main", "extra", "total", "approximate", "aside"]
Rate = Literal["month", "year", "once", "other"]

# Where one item of a list ends and the next begins.
_BREAK = re.compile(
    r"[;；。，、\n]|,(?=\s)|(?<!\bRs)(?<!approx)(?<!d\.h)(?<!i\.e)(?<!e\.g)\.\s"
    r"|(?<=[a-zäöüß])(?=[A-ZÄÖÜ][a-zäöü])"
)
_UP_TO = re.compile(
    r"up to|upto|\bunder\b|below|less than"
    r"|max(?:imum|imal|\.)?\b|at most|not exceed|no more than|högst|upp till|至多|最多|最高|上限"
    r"|不超過|최대|상한"
    r"|สูงสุด|ไม่เกิน|bis zu|höchstens|hasta|máximo|maks\.?|nawet do|jusqu",
    re.IGNORECASE,
)
_CAPPED = re.compile(
    r"^[^.;\n]{0,40}\b(?:begrenzt|maximum|at most)\b|^\s*(?:為|为)?上限|^\s*以[內内下]", re.IGNORECASE
)
_AT_LEAST = re.compile(
    r"\bover\b|\bfrom\b|at least|minimum|more than|starting at|至少|最低|不低於|최소|mindestens|\bab\b|minst"
    r"|från|\bdesde\b|mínimo"
    r"|co najmniej",
    re.IGNORECASE,
)
_AND_MORE = re.compile(r"^\s?\+|^\s?(?:以上|이상|or more|and above)")
_EXTRA = re.compile(
    r"pauschale|zuschlag|zulage|zusätzlich|zuschuss|hinzu|along with|in addition|additional|contingency"
    r"|travel|airfare|flight|books?\b|health|insurance|fieldwork|reisekost|정착금|보험|항공|연수비|書籍|機票|另"
    r"|equipment|relocation|settling|conference",
    re.IGNORECASE,
)
_PLUS = re.compile(r"\bplus\b|\+", re.IGNORECASE)
_EXTRA_AFTER = re.compile(r"^[^.;,+\n]{0,20}\b(?:zusätzlich|extra|additional)\b", re.IGNORECASE)
_TOTAL = re.compile(
    r"\btotal(?:l?ing)?\b|in total|insgesamt|共計?|總計|合計|총|łącznie|totalt|en total", re.IGNORECASE
)
_ABOUT = re.compile(
    r"approx|≈|~\s*$|=\s*$|exchange rate|equivalent|約|약|d\.\s?h\.|\bi\.e\.|umgerechnet|\bcirca\b|\bca\.",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"average|durchschnitt|平均|평균|application fee|processing fee|income|budget|worth of"
    r"|einkommen|소득|所得|i snitt"
    r"|deposit|\bvat\b|tax\b",
    re.IGNORECASE,
)
_OR = re.compile(r"(?:bzw\.|\bor\b|\boder\b|또는|或|/|\band\b|\bund\b)\s*$", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:-|–|—|~|〜|～|to|至|到|bis|and|och|und|und|a|y|do)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"between|mellan|zwischen|entre|介於", re.IGNORECASE)

_PERIODS: tuple[tuple[Rate, re.Pattern[str]], ...] = (
    (
        "other",
        re.compile(
            r"semester|trimester|quarter|\bterm\b|per week|weekly|/ ?week|per hour|hourly|per credit"
            r"|pro woche|per day|pro tag|學期|学期"
            r"|학기(?! 중)|每週|週|매주|시간당|termin",
            re.IGNORECASE,
        ),
    ),
    (
        "month",
        re.compile(
            r"per month|/ ?mo(?:nth)?\b|monthly|\ba month|each month|monatlich|pro monat|im monat|每個?月"
            r"|按月|월\s*(?=\d|$)|/ ?월|매월|월별"
            r"|/ ?เดือน|ต่อเดือน|เดือนละ|al mes|mensual|månad|miesięczn|per mese|par mois",
            re.IGNORECASE,
        ),
    ),
    (
        "year",
        re.compile(
            r"per (?:\w+ ){0,2}(?:year|annum)|/ ?(?:yr|year|annum)\b|\bannual(?:ly)?\b|yearly"
            r"|\ba year\b|each year|\bp\.\s?a\.|jährlich|pro jahr"
            r"|im jahr|每學年|每学年|每年|연간|/ ?연|/ ?년|매년|/ ?ปี|ต่อปี|ปีละ|al año|anual|per år|om året|rocznie"
            r"|per anno|par an",
            re.IGNORECASE,
        ),
    ),
    (
        "once",
        re.compile(
            r"one[- ]?time|einmalig|一次性|일시금|1회|jednorazow|engångs|única vez|lump sum", re.IGNORECASE
        ),
    ),
)
# What a bare number may stand before to be a sum: the end, a bracket, another item.
_ENDS = re.compile(r"\s*(?:$|[()（）,;、。，/【\]])")
_DIGITS = re.compile(r"[\d萬万]+")
_MARGIN = 60
"""Characters beside a run of digits that may belong to its number: two marks, the word of a range, spaces."""
_REACH = 48
"""Characters after a sum in which its period may stand."""
_DOT_GROUPS = frozenset({"EUR", "COP", "CLP", "ARS", "BRL", "IDR", "VND", "TRY", "DKK", "NOK", "SEK"})


@dataclass(frozen=True, slots=True)
class Mention:
    """One sum, or one range, as a text states it.

    low, high: the same for a single sum; None where the number could be read in two ways. currency: ISO 4217,
    `AMBIGUOUS` or `DOLLAR`, None without a mark. upper, lower: "up to", "at least".
    """

    low: float | None
    high: float | None
    currency: str | None
    rate: Rate | None
    role: Role
    upper: bool = False
    lower: bool = False
    joined: bool = False


def mentions(text: str, dot_groups: bool | None = None) -> tuple[Mention, ...]:
    """The sums that `text` states, in its order; percentages, years, places and counts are none."""
    plain = unicodedata.normalize("NFKC", text)
    found: list[Mention] = []
    matches = [match for match in _numbers(plain) if _is_money(match, plain)]
    at = 0
    for position, match in enumerate(matches):
        end = matches[position + 1].start() if position + 1 < len(matches) else len(plain)
        found.append(_mention(match, plain[at : match.start()], plain[match.end() : end], dot_groups, found))
        at = match.end()
    return tuple(found)


def _numbers(plain: str) -> Iterator[re.Match[str]]:
    """The numbers of a text with the marks beside them, looked for only around its digits."""
    start = end = 0
    for run in _DIGITS.finditer(plain):
        if run.start() - _MARGIN > end:
            yield from _pattern().finditer(plain, start, end)
            start = run.start() - _MARGIN
        end = run.end() + _MARGIN
    yield from _pattern().finditer(plain, start, min(end, len(plain)))


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    before, after = mark_pattern(before=True), mark_pattern(before=False)

    def one(at: int) -> str:
        marked = rf"(?:(?P<before{at}>{before})\s?[~≈]?\s?)?(?P<number{at}>{NUMBER})"
        return rf"{marked}(?:\s?(?P<after{at}>{after}))?"

    return re.compile(
        rf"(?<![\w.,-]){one(1)}(?!\d)(?:(?P<to>{_RANGE.pattern}){one(2)}(?!\d))?(?P<percent>\s?%)?"
        rf"|(?<=[^\x00-\x7f]){one(3)}(?!\d)(?:(?P<to4>{_RANGE.pattern}){one(4)}(?!\d))?(?P<percent3>\s?%)?"
    )


def _parts(match: re.Match[str]) -> tuple[str, str | None, tuple[str, ...]]:
    """The first number, the second of a range, and every mark beside them."""
    a, b = ("1", "2") if match["number1"] else ("3", "4")
    marks = tuple(
        mark for mark in (match[f"{side}{at}"] for at in (a, b) for side in ("before", "after")) if mark
    )
    return match[f"number{a}"], match[f"number{b}"], marks


def _is_money(match: re.Match[str], plain: str) -> bool:
    if match["percent"] or match["percent3"]:
        return False
    number, second, marks = _parts(match)
    if marks:
        return True
    if number[0] in "一二兩两三四五六七八九十百千":
        return False
    if plain.strip() == match[0].strip():
        return True
    return is_grouped(number if second is None else second) and _ENDS.match(plain, match.end()) is not None


def _mention(
    match: re.Match[str], before: str, after: str, dot_groups: bool | None, found: list[Mention]
) -> Mention:
    number, second, marks = _parts(match)
    currency = _currency(marks)
    dots = True if currency in _DOT_GROUPS else dot_groups
    low = read_number(number, dots)
    high = low if second is None else read_number(second, dots)
    if second is not None and low is not None and high is not None:
        low = _shared_unit(number, second, low, high)
    lead, tail = _BREAK.split(before)[-1] or "", _first(after)
    near = lead[-45:]
    rate = _rate(lead + " ") or _rate(" " + tail)
    previous = found[-1] if found else None
    joined = previous is not None and (_OR.search(near) is not None or not lead.strip(" ():"))
    role = _role(near, lead, tail)
    if low == 1 and re.match(r"\s*[=≈]", tail):
        role = "approximate"
    if role == "main" and previous is not None and _PLUS.search(near):
        role = "extra"
    if joined and previous is not None and role == "main":
        role = previous.role if previous.role != "approximate" else "main"
        rate = rate or previous.rate
    ranged = low is not None and high is not None and low < high
    if not ranged and second is not None:
        low = high = None
    upper = not ranged and (_UP_TO.search(near) is not None or _CAPPED.search(tail) is not None)
    lower = (
        not ranged
        and not upper
        and (_AT_LEAST.search(near) is not None or _AND_MORE.search(tail) is not None)
    )
    return Mention(low, high, currency, rate, role, upper, lower, joined)


def _first(after: str) -> str:
    """What still belongs to a sum of the text that follows it."""
    return _BREAK.split(after)[0][:_REACH]


def _currency(marks: tuple[str, ...]) -> str | None:
    found = {code for mark in marks if (code := currency_of(mark))}
    certain = found - {AMBIGUOUS, DOLLAR}
    if len(certain) == 1:
        return certain.pop()
    if certain:
        return AMBIGUOUS
    return DOLLAR if found == {DOLLAR} else AMBIGUOUS if found else None


def _shared_unit(number: str, second: str, low: float, high: float) -> float:
    """The lower end of "1,416~1,980만": the unit after the second number is meant for both."""
    unit = re.search(UNIT, second)
    if unit is None or re.search(UNIT, number):
        return low
    factor = read_number("1" + unit[0]) or 1.0
    return low * factor if low <= high / factor else low


def _rate(text: str) -> Rate | None:
    stated = [rate for rate, pattern in _PERIODS if pattern.search(text)]
    if "other" in stated:
        return "other"
    return stated[0] if len(stated) == 1 else None


def _role(near: str, lead: str, tail: str) -> Role:
    if _ABOUT.search(lead):
        return "approximate"
    if _ASIDE.search(near):
        return "aside"
    if _TOTAL.search(near):
        return "total"
    if _EXTRA.search(near) or _EXTRA_AFTER.search(tail):
        return "extra"
    return "main"
