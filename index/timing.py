"""When a programme can be applied for, against when it was asked about, as numbers a network can read.

`timing` is a pure function of the document's dates, the instant of the question and what the question asked of
time. Every feature lies in [-1, 1], and an unknown date is 0 beside a flag that says it is unknown. Distances are
*log-days*: sign(d) · ln(1 + |d|) / ln(1 + 3652.5), cut at ten years, where d is days with their fraction, so
that a day matters near a deadline and a month does not years away. One day is 0.08, a week 0.25, a month 0.42, a
year 0.72.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from hashlib import sha256
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from index.availability import AVAILABILITY, Availability, availability, clock
from index.document import Document, Window
from index.zone import closes_at, opens_at, zone

Timing = NDArray[np.float32]

TIMING_FEATURES: tuple[str, ...] = (
    *(f"is_{state}" for state in AVAILABILITY),  # 0/1 each, exactly one is 1: the state of the shown window
    "has_no_window",  # 0/1: the record says nothing of time
    "is_recurring",  # 0/1: the shown window comes back each year
    "has_deadline",  # 0/1: the shown window names a last day, with its year
    "to_deadline",  # log-days from the question to closing; below 0 once closed, never below 0 on the last day
    "has_opening",  # 0/1
    "to_opening",  # log-days from the question to opening; below 0 once open
    "has_yearly",  # 0/1: the shown window names a last day, with or without its year
    "to_yearly",  # log-days to the next return of that day of the year, 0 to 0.72
    "yearly_sine",  # sin and cos of the share of a year until that day returns
    "yearly_cosine",
    "rounds",  # log2 of the number of windows / 4, cut at 1
    "had_round",  # 0/1: another window of the record has passed
    "names_year",  # 0/1: title, cycle or window text names a year
    "year_gap",  # latest named year less the year of the question: sign · ln(1 + |years|) / ln(21), cut
    "has_age",  # 0/1: the record says when it was last updated or verified
    "age",  # log-days since then, 0 to 1
    "asks_open",  # 0/1: the question wants what can be applied for now
    "asks_deadline",  # 0/1: the question wants to know a date
    "asks_period",  # 0/1: the question names a stretch of time
    "asks_past",  # 0/1: the question is about what was
    "in_period",  # 0/1: the window meets the stretch asked for
    "from_period",  # log-days from the stretch asked for to the window: below 0 before it, 0 inside or unknown
)
"""The features, in order, with their units."""

_VERSION = 1
_DECADE_DAYS = 3652.5
_COMMON_YEAR_DAYS = 365
_MOST_YEARS = 20
_DAY_SECONDS = 86400.0
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20\d)\d(?!\d)")
# The calendar of Taiwan counts from 1911, and campus awards there are named by it.
_MINGUO = re.compile(r"(?<!\d)(9\d|1[0-4]\d)\s*(?:學年|学年|年度)")
_MINGUO_EPOCH = 1911


class Asked(Protocol):
    """What a question asks of time; `index.timeintent` reads it from the words."""

    @property
    def kind(self) -> str:
        """One of none, open_now, deadline_question, period, past."""

    @property
    def start(self) -> date | None:
        """First day of the stretch asked for, None when open."""

    @property
    def end(self) -> date | None:
        """Last day of the stretch asked for, None when open."""


def timing(document: Document, as_of: datetime, asked: Asked | None = None) -> Timing:
    """(F,) float32 in the order of `TIMING_FEATURES`, each in [-1, 1].

    `as_of` is an aware instant; without `asked` the question asks nothing of time. Raises ValueError for a
    naive instant or one outside the years of the calendar.
    """
    as_of = as_of.replace(microsecond=0)  # windows close on whole seconds
    shown = availability(document.windows, as_of)
    found = dict.fromkeys(TIMING_FEATURES, 0.0)
    found[f"is_{shown.state}"] = 1.0
    found |= _window(shown, as_of) | _record(document, shown, as_of)
    if asked is not None:
        found |= _question(asked, shown, as_of)
    return np.fromiter(found.values(), np.float32, len(TIMING_FEATURES))


def timing_fingerprint() -> str:
    """Changes with the features and their units: a network reads only the ones it was trained on."""
    return f"timing-{sha256(repr((_VERSION, TIMING_FEATURES)).encode()).hexdigest()[:12]}"


def log_days(days: float) -> float:
    """Signed log-days in [-1, 1] of a distance in days; odd, and never falling."""
    cut = min(abs(days), _DECADE_DAYS)
    return math.copysign(math.log1p(cut) / math.log1p(_DECADE_DAYS), days)


def _window(shown: Availability, as_of: datetime) -> dict[str, float]:
    """What the shown window says: its closing, its opening, and the day of the year it comes back."""
    window = shown.window
    if window is None:
        return {}
    found = {"is_recurring": float(window.kind == "recurring")}
    if shown.closes_at is not None:
        found |= {"has_deadline": 1.0, "to_deadline": log_days(_days(as_of, shown.closes_at))}
    if window.opens_on is not None:
        opening = opens_at(window.opens_on, zone(window.zone)[0])
        found |= {"has_opening": 1.0, "to_opening": log_days(_days(as_of, opening))}
    if (closing := _closing_day(shown)) is not None:
        ahead = _until_return(closing, as_of.date())
        phase = 2.0 * math.pi * ahead / _COMMON_YEAR_DAYS
        found |= {"has_yearly": 1.0, "to_yearly": log_days(ahead)}
        found |= {"yearly_sine": math.sin(phase), "yearly_cosine": math.cos(phase)}
    return found


def _record(document: Document, shown: Availability, as_of: datetime) -> dict[str, float]:
    """What the record says besides its shown window."""
    count = len(document.windows)
    found = {"has_no_window": float(count == 0), "rounds": min(math.log2(max(count, 1)) / 4.0, 1.0)}
    others = (window for window in document.windows if window is not shown.window)
    found["had_round"] = float(any(_passed(window, as_of) for window in others))
    if (year := _named_year(document)) is not None:
        gap = max(-_MOST_YEARS, min(_MOST_YEARS, year - as_of.year))
        found |= {
            "names_year": 1.0,
            "year_gap": math.copysign(math.log1p(abs(gap)) / math.log1p(_MOST_YEARS), gap),
        }
    written = max(
        (day for day in (document.verified_on, _day(document.updated_at)) if day is not None), default=None
    )
    if written is not None:
        found |= {"has_age": 1.0, "age": log_days(max((as_of.date() - written).days, 0))}
    return found


def _question(asked: Asked, shown: Availability, as_of: datetime) -> dict[str, float]:
    """What the question asks of time, and how far the window lies from the stretch it names."""
    kinds = {"open_now": "open", "deadline_question": "deadline", "period": "period", "past": "past"}
    found = {f"asks_{kinds[asked.kind]}": 1.0} if asked.kind in kinds else {}
    span = _open_days(shown, as_of)
    if span is None or (asked.start is None and asked.end is None):
        return found
    first, last = span
    if asked.start is not None and last < asked.start:
        return found | {"from_period": log_days((last - asked.start).days)}
    if asked.end is not None and first > asked.end:
        return found | {"from_period": log_days((first - asked.end).days)}
    return found | {"in_period": 1.0}


def _open_days(shown: Availability, as_of: datetime) -> tuple[date, date] | None:
    """First and last day on which one may apply in the shown window, as far as known; None when nothing is."""
    closing = _closing_day(shown)
    if shown.state == "rolling":
        return date.min, closing or date.max
    if closing is None:
        return None
    opening = shown.window.opens_on if shown.window and shown.state != "unknown" else None
    return min(opening or closing, closing), closing


def _closing_day(shown: Availability) -> date | None:
    """The last day of the shown window; of a recurring one that is not confirmed, the next one expected."""
    if shown.state == "unknown":
        return shown.expected_on
    return shown.window.deadline_on if shown.window else None


def _until_return(day: date, today: date) -> int:
    """Days from `today` until the day of the year of `day` comes back, 0 to 365."""
    return (_day_of_year(day) - _day_of_year(today)) % _COMMON_YEAR_DAYS


def _day_of_year(day: date) -> int:
    # Of a common year: 29 February returns on the 28th.
    common = day.replace(year=2001, day=28 if (day.month, day.day) == (2, 29) else day.day)
    return common.timetuple().tm_yday


def _named_year(document: Document) -> int | None:
    """The latest year that the title, a cycle or a window's text names."""
    texts = [document.title]
    for window in document.windows:
        texts += [part for part in (window.cycle, window.text) if part]
    years = [int(year) for text in texts for year in _YEAR.findall(text)]
    years += [int(year) + _MINGUO_EPOCH for text in texts for year in _MINGUO.findall(text)]
    return max(years, default=None)


def _passed(window: Window, as_of: datetime) -> bool:
    info, _ = zone(window.zone)
    return window.deadline_on is not None and closes_at(window.deadline_on, clock(window), info) < as_of


def _days(start: datetime, end: datetime) -> float:
    return (end - start).total_seconds() / _DAY_SECONDS


def _day(instant: datetime | None) -> date | None:
    return None if instant is None else instant.date()
