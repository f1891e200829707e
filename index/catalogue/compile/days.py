"""Application rounds read out of dates and deadline texts; what cannot be read for certain is not a date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from index.catalogue.compile.facts import Round

FIRST_YEAR, LAST_YEAR = 2000, 2035

_MONTHS = {
    "january": 1, "january.": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4,
    "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9,
    "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "decemeber": 12, "dec": 12,
    "januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12,
    "enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8,
    "septiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12,
}  # fmt: skip
ENGLISH_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NAME = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\.?,?\s*(?:of |de )?({_NAME})\b\.?,?(?:\s+(?:de )?(20\d\d))?", re.I
)
_MONTH_FIRST = re.compile(rf"\b({_NAME})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+(20\d\d))?", re.I)
_ISO = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_DOTTED = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](20\d\d)\b")
_ROLLING = re.compile(
    r"^\s*(?:anytime|open|ongoing|rolling|no closing date|continu)|rolling (?:admission|basis"
    r"|applic)|year[- ]?round"
    r"|round the year|all year|throughout the (?:academic )?(?:year|session)|open until filled"
    r"|no deadline|jederzeit"
    r"|laufend|stały nabór|nabór ciągły|상시|ตลอดปี|2061-12-31|2041-12-31|2099-12-31|apply anytime"
    r"|accepted at any time"
    r"|continu(?:ous|al) application|ongoing application",
    re.I,
)
_VAGUE = re.compile(rf"^\s*(early|mid|middle|late|end|start|beginning)?(?: of)?[\s-]*({_NAME})\s*$", re.I)


def day(text: str | None) -> date | None:
    """The calendar day of an ISO date, when it lies in a believable year."""
    if not text:
        return None
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return found if FIRST_YEAR <= found.year <= LAST_YEAR else None


def fixed(deadline: date, opens: date | None = None) -> Round:
    """A round with a known last day; an opening after it is dropped as an error of the source."""
    if opens is not None and opens > deadline:
        opens = None
    return Round("fixed", opens, deadline, cycle=str(deadline.year))


def recurring(month: int, day_of_month: int) -> Round | None:
    """A last day that returns every year; None when there is no such day."""
    try:
        date(2024, month, day_of_month)
    except ValueError:
        return None
    return Round("recurring", month_day=f"--{month:02d}-{day_of_month:02d}")


def is_rolling(text: str | None) -> bool:
    """Whether a deadline text says that one can always apply."""
    return bool(text and _ROLLING.search(text))


def mentions(text: str) -> list[tuple[int, int, int | None]]:
    """(month, day, year or None) of every day named in the text, in reading order."""
    found: dict[int, tuple[int, int, int | None]] = {}
    for match in _DAY_FIRST.finditer(text):
        found[match.start()] = (_MONTHS[match[2].lower()], int(match[1]), int(match[3]) if match[3] else None)
    taken = {(month, day_) for month, day_, _ in found.values()}
    for match in _MONTH_FIRST.finditer(text):
        month, day_ = _MONTHS[match[1].lower()], int(match[2])
        if (month, day_) not in taken:
            found[match.start()] = (month, day_, int(match[3]) if match[3] else None)
    for match in _ISO.finditer(text):
        found[match.start()] = (int(match[2]), int(match[3]), int(match[1]))
    for match in _DOTTED.finditer(text):
        if int(match[1]) > 12:
            found[match.start()] = (int(match[2]), int(match[1]), int(match[3]))
    return [found[position] for position in sorted(found)]


def from_text(text: str | None, limit: int = 4) -> tuple[Round, ...]:
    """The rounds a short deadline text states: dated ones, yearly days, "always", or a vague month."""
    if not text:
        return ()
    if is_rolling(text):
        return (Round("rolling"),)
    rounds: list[Round] = []
    for month, day_, year in mentions(text)[:limit]:
        if year is None:
            found = recurring(month, day_)
        else:
            try:
                found = fixed(date(year, month, day_)) if FIRST_YEAR <= year <= LAST_YEAR else None
            except ValueError:
                found = None
        if found and found not in rounds:
            rounds.append(found)
    if rounds:
        return tuple(rounds)
    vague = _VAGUE.match(text)
    if vague:
        month_name = ENGLISH_MONTHS[_MONTHS[vague[2].lower()] - 1]
        part = (vague[1] or "").lower()
        part = {"middle": "mid", "start": "early", "beginning": "early"}.get(part, part)
        words = (
            f"{part} of {month_name}"
            if part == "end"
            else f"{part}-{month_name}"
            if part == "mid"
            else f"{part} {month_name}"
        )
        return (Round("unknown", text=words.strip()),)
    return ()


def with_recurrence(rounds: Iterable[Round]) -> tuple[Round, ...]:
    """The rounds in order, plus a yearly day where two different years closed on the same day."""
    unique = sorted(set(rounds), key=lambda item: item.order)
    opened = {item.deadline_on for item in unique if item.deadline_on and item.opens_on}
    unique = [item for item in unique if not (item.deadline_on in opened and item.opens_on is None)]
    years: dict[str, set[int]] = {}
    for item in unique:
        if item.deadline_on:
            years.setdefault(f"--{item.deadline_on:%m-%d}", set()).add(item.deadline_on.year)
    known = {item.month_day for item in unique}
    for month_day, seen in sorted(years.items()):
        if len(seen) >= 2 and month_day not in known:
            unique.append(Round("recurring", month_day=month_day))
    if any(item.kind != "unknown" for item in unique):
        unique = [item for item in unique if item.kind != "unknown"]
    return tuple(sorted(unique, key=lambda item: item.order))
