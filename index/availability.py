"""Can one still apply? A pure function of a programme's windows and the instant of the question.

A window is, at `as_of`,

- **closed** after its last second: the end of the deadline day, or its `time`, in its zone;
- **upcoming** before its opening day begins;
- **rolling** when it is of that kind; **open** when it has a deadline that has not passed;
- **unknown** otherwise: no dates, or a day of the year without a year.

A recurring window is *unknown*, not upcoming: that it comes back each year is likely, that this year's
round is confirmed nobody said. Its next occurrence is given as `expected_on`, apart from `closes_at` and
`days_left`, which hold stated facts only. The best window speaks for the programme, in the order of
`PRECEDENCE`. Nothing here is ever stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo

from index.document import Window
from index.types import AvailabilityState
from index.zone import asked, closes_at, opens_at, seconds, zone

AVAILABILITY: tuple[AvailabilityState, ...] = ("open", "upcoming", "rolling", "unknown", "closed")
"""The states, in the order in which they are listed; a state's position is its code in `Columns`."""

PRECEDENCE: tuple[AvailabilityState, ...] = ("open", "rolling", "upcoming", "unknown", "closed")
"""The states from best to worst for somebody who wants to apply."""

END_OF_DAY = time(23, 59, 59)


@dataclass(frozen=True, slots=True)
class Availability:
    """The state of a programme and the window that shows it.

    window: closing soonest of those open now, else opening soonest, else expected soonest, else closed last.
    closes_at: last second (UTC) at which one may apply; None when no deadline of that window is known.
    days_left: calendar days in the window's zone until the deadline, 0 on the day; None when there is none.
    zone_assumed: the window states no known zone, and its dates were read in the last place on earth.
    expected_on: next occurrence of a recurring window whose round is not confirmed; an estimate.
    """

    state: AvailabilityState
    window: Window | None = None
    closes_at: datetime | None = None
    days_left: int | None = None
    zone_assumed: bool = False
    expected_on: date | None = None


_Key = tuple[int, float, float]


def availability(windows: tuple[Window, ...], as_of: datetime) -> Availability:
    """What the windows say at `as_of`, an aware instant. Raises ValueError on a naive or far-off one."""
    now = asked(as_of)
    if not windows:
        return Availability("unknown")
    # min keeps the first of equals: the order of the record decides.
    return min((_read(window, as_of, now) for window in windows), key=lambda read: read[0])[1]


def _read(window: Window, as_of: datetime, now: int) -> tuple[_Key, Availability]:
    """How good one window is (lower is better), and the availability it alone would give."""
    info, assumed = zone(window.zone)
    closing = closes_at(window.deadline_on, clock(window), info) if window.deadline_on else None
    opening = opens_at(window.opens_on, info) if window.opens_on else None
    closes = seconds(closing) if closing else None
    opens = seconds(opening) if opening else None
    state = _state(window, opens, closes, now)
    expected_on = expected(window, as_of, info) if state == "unknown" else None
    known = closing if state != "unknown" else None
    days_left = None
    if window.deadline_on and known and state != "closed":
        days_left = (window.deadline_on - as_of.astimezone(info).date()).days
    dated = bool(window.deadline_on or window.opens_on or window.month_day)
    key = (PRECEDENCE.index(state), *_order(state, opens, closes, expected_on))
    return key, Availability(state, window, known, days_left, assumed and dated, expected_on)


def _state(window: Window, opens: int | None, closes: int | None, now: int) -> AvailabilityState:
    if closes is not None and closes < now:
        return "unknown" if window.kind == "recurring" else "closed"
    if opens is not None and opens > now:
        return "upcoming"
    if window.kind == "rolling":
        return "rolling"
    return "unknown" if closes is None else "open"


def _order(
    state: AvailabilityState, opens: int | None, closes: int | None, expected_on: date | None
) -> tuple[float, float]:
    """Which of two windows of one state is shown: the lower pair."""
    never = float("inf")
    closing = never if closes is None else closes
    if state == "upcoming":
        return (never if opens is None else opens, closing)
    if state == "unknown":
        return (expected_on.toordinal() if expected_on else never, 0)
    return (-closing if state == "closed" else closing, 0)


def clock(window: Window) -> time:
    """The local time at which a window closes on its last day."""
    return time.fromisoformat(window.time) if window.time else END_OF_DAY


def annual_day(window: Window) -> tuple[int, int] | None:
    """Month and day on which a recurring window closes each year; None when not stated, or not recurring."""
    if window.kind != "recurring":
        return None
    if window.month_day:
        return int(window.month_day[2:4]), int(window.month_day[5:7])
    return (window.deadline_on.month, window.deadline_on.day) if window.deadline_on else None


def expected(window: Window, as_of: datetime, info: tzinfo) -> date | None:
    """The next day, in the window's zone, on which a recurring window would close; None for the other kinds.

    29 February falls on the 28th in a common year.
    """
    annual = annual_day(window)
    if annual is None:
        return None
    local = as_of.astimezone(info).replace(microsecond=0, tzinfo=None)
    this_year = _occurrence(local.year, *annual)
    if datetime.combine(this_year, clock(window)) >= local:
        return this_year
    return _occurrence(local.year + 1, *annual)


def _occurrence(year: int, month: int, day: int) -> date:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return date(year, month, 28 if (month, day) == (2, 29) and not leap else day)
