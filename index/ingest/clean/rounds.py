"""The cells of a deadline and of an opening day to windows: one, several, or none but the words."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise

from index.deadline import is_sentinel, read_deadline
from index.document import Window
from index.ingest.clean.days import Day, Order, decide_order, find_days, from_serial
from index.ingest.clean.text import stated

_RANGE = re.compile(
    r"\s*(?:to|until|till|bis|al?|hasta|au|do|till och med|-|–|—|~|〜|～|至|到|起至|부터|→)\s*", re.IGNORECASE
)
_LIST = re.compile(
    r"\s*(?:\([^()\d]*\))?\s*(?:[;,/&+|\n]|、|；|and|or|und|oder|y|och|i|et|및|和|與|sowie)?\s*(?:der "
    r"|den |the |am )?",
    re.IGNORECASE,
)
# Words around a date that leave it what it is: the deadline.
_AROUND = re.compile(
    r"[\s.,:;()~～止前까지迄]*(?:der |den |am |the )?"
    r"|.{0,30}(?:deadline|due|clos(?:es|ing)(?: date)?|until|till|by|before"
    r"|frist(?:en)?|bis(?: zum)?|termin|hasta"
    r"|截止|마감)[^\d]{0,24}",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s.,:;()]*(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?|eines(?: jeden)? jahres"
    r"|(?:each|every) year|annually|yearly|止|前|까지"
    r"|\([^()\d]*\)|(?:at |um |kl\.? ?)?\d{1,2}[:.]\d{2}(?: ?uhr)?(?: ?[ap]\.?m\.?)?(?: ?(?:utc|gmt"
    r"|[ce]e?s?t|aoe))?|[\s.,:;()~])*",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"deadline|due\b|clos(?:es|ing)|submit|no later|frist|bewerbungsschluss|einsendeschluss|plazo"
    r"|截止|마감|termin",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\bopen|example|e\.g\.|z\.\s?b\.|ví dụ|previous|last year|start|begin|ab dem|\bfrom\b|since|desde|öffn|notif"
    r"|announce|decision|interview|result"
    r"|session|sitzung",
    re.IGNORECASE,
)
_FIRST_CLAUSE = re.compile(r"[.;,\n]")


@dataclass(frozen=True, slots=True)
class Rounds:
    """Windows, and what about them could not be said for certain ("" when all could)."""

    windows: tuple[Window, ...]
    doubt: str = ""


def read_rounds(deadline: object, opens: object = None, order: Order | None = None) -> Rounds:
    """The windows of one row. Cells are raw: text, numbers, lists."""
    closing = _read(deadline, order)
    opening = _read(opens, order)
    if not closing.windows:
        dated = [window for window in opening.windows if window.opens_on and window.deadline_on]
        if dated or any(window.kind == "rolling" for window in opening.windows):
            return opening
        day = _single_day(opens, order)
        return Rounds((Window(opens_on=day, text=_words(opens)),)) if day else Rounds((), opening.doubt)
    if len(closing.windows) != 1:
        return closing
    (window,) = closing.windows
    start = opening.windows[0].opens_on if opening.windows else None
    start = start or _single_day(opens, order)
    if start and window.opens_on is None and window.deadline_on and start <= window.deadline_on:
        return Rounds((replace(window, opens_on=start),), closing.doubt)
    if start and window.deadline_on and start > window.deadline_on:
        return Rounds(closing.windows, "an opening day after the deadline")
    return closing


def cell_texts(value: object) -> list[str]:
    """The texts of a cell: its members when it is a list, or a list written out ("['a', 'b']")."""
    if isinstance(value, str) and value.lstrip()[:1] == "[":
        value = _written_list(value.strip())
    if isinstance(value, list | tuple):
        return [text for item in value for text in cell_texts(item)]
    if value is None or isinstance(value, bool | dict):
        return []
    text = stated(str(value))
    return [] if text is None else [text]


def _written_list(text: str) -> object:
    """The list that `text` writes out, else the text itself."""
    if text[:1] != "[" or text[-1:] != "]":
        return text
    try:
        read = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return read if isinstance(read, list) else text


def _words(value: object) -> str | None:
    return "; ".join(cell_texts(value)) or None


def _read(value: object, order: Order | None) -> Rounds:
    serial = from_serial(value)
    if serial is not None:
        return Rounds((Window(deadline_on=serial, kind="fixed"),))
    windows: list[Window] = []
    doubt = ""
    members = cell_texts(value)
    order = order or decide_order(members)
    for text in members:
        found = _of_text(text, order)
        windows.extend(found.windows)
        doubt = doubt or found.doubt
    return Rounds(tuple(dict.fromkeys(windows)), doubt)


def _single_day(value: object, order: Order | None) -> date | None:
    serial = from_serial(value)
    if serial is not None:
        return serial
    days = [day for text in cell_texts(value) for day in find_days(text, order)]
    return days[0].on() if len(days) == 1 else None


@lru_cache(maxsize=4096)
def _of_text(text: str, order: Order | None) -> Rounds:
    reading = read_deadline(text)
    if reading.rolling or is_sentinel(text[:10]):
        return Rounds((Window(kind="rolling", text=text),))
    if reading.month_days:
        return Rounds(tuple(Window(month_day=day, kind="recurring", text=text) for day in reading.month_days))
    first_line, _, more = text.partition("\n")
    days = find_days(text, order)
    if more and (alone := find_days(first_line, order)) and alone[0].year and _is_plain(first_line, alone):
        # A date that stands alone on the first line is the cell's value, what follows is a remark.
        return Rounds(tuple(replace(window, text=text) for window in _windows(first_line, alone)))
    if not days:
        rolling = read_deadline(_FIRST_CLAUSE.split(text)[0]).rolling
        return Rounds((Window(kind="rolling" if rolling else "unknown", text=text),))
    if not _is_plain(text, days):
        return _of_prose(text, days)
    return Rounds(tuple(_windows(text, days)))


def _is_plain(text: str, days: Sequence[Day]) -> bool:
    """Whether the text is nothing but days, lists and ranges of them, and words that leave them what they are."""
    between = (text[a.end : b.start] for a, b in pairwise(days))
    return (
        _AROUND.fullmatch(text[: days[0].start]) is not None
        and _AFTER.fullmatch(text[days[-1].end :]) is not None
        and all(_RANGE.fullmatch(gap) or _LIST.fullmatch(gap) for gap in between)
    )


def _of_prose(text: str, days: Sequence[Day]) -> Rounds:
    """Sentences: what follows the word "deadline" is one; so is a lone full date without word of an opening."""
    between = (text[a.end : b.start] for a, b in pairwise(days))
    in_one_run = all(_LIST.fullmatch(gap) for gap in between)
    before = text[: days[0].start]
    if _DEADLINE.search(before) and in_one_run and not _OPENING.search(text):
        return Rounds(tuple(_windows(text, days)))
    if len(days) == 1 and days[0].year is not None and not _OPENING.search(text):
        return Rounds(tuple(_windows(text, days)), "one date in a sentence")
    return Rounds((Window(text=text),), "dates in a sentence")


def _windows(text: str, days: Sequence[Day]) -> list[Window]:
    found: list[Window] = []
    kept = None if text[days[0].start : days[-1].end] == text and len(days) == 1 else text
    at = 0
    while at < len(days):
        day, after = days[at], days[at + 1] if at + 1 < len(days) else None
        opens = None
        if after is not None and _RANGE.fullmatch(text[day.end : after.start]):
            opens, day, at = day, after, at + 1
        found.append(_window(opens, day, kept))
        at += 1
    return found


def _window(opens: Day | None, closes: Day, text: str | None) -> Window:
    deadline = closes.on()
    if deadline is None:
        return Window(month_day=closes.of_the_year(), kind="recurring", text=text)
    start = opens.on() if opens else None
    start = start if start and start <= deadline else None
    return Window(opens_on=start, deadline_on=deadline, kind="fixed", text=text)
