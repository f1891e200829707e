"""The windows of all documents as columns, so that availability is a few array operations per question.

It says what `index.availability` says, row by row; the tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, tzinfo
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from index.availability import AVAILABILITY, PRECEDENCE, annual_day, clock
from index.document import Window
from index.splice import Splice, starts
from index.zone import asked, closes_at, opens_at, seconds, zone

Int64 = NDArray[np.int64]
Codes = NDArray[np.uint8]
Days = NDArray[np.int32]
"""Days since 1970; `NO_DAY` where there is none."""

NO_DAY = np.int32(np.iinfo(np.int32).min)
_NEVER = np.iinfo(np.int64).max
_ALWAYS = np.iinfo(np.int64).min
_Scalar = TypeVar("_Scalar", bound=np.generic)
_EPOCH_ON = date(1970, 1, 1)
_OPEN, _ROLLING, _UPCOMING, _UNKNOWN, _CLOSED = range(len(PRECEDENCE))
# Position in PRECEDENCE → position in AVAILABILITY.
_CODE = np.array([AVAILABILITY.index(state) for state in PRECEDENCE], np.uint8)


@dataclass(frozen=True, slots=True)
class Shown:
    """The availability of every document at one instant, and the window that shows it.

    states: (n,) codes of `AVAILABILITY`. rank: (n,) position of the state in `PRECEDENCE`. windows: (n,)
    positions in the timetable, -1 where a document has none. soonest: (n,) among documents of one state the
    lower comes first: closing, opening or expected sooner, or closed later.
    """

    states: Codes
    windows: Int64
    rank: Codes
    soonest: Int64


@dataclass(frozen=True, slots=True)
class Timetable:
    """W windows of n documents, those of a document side by side.

    starts: (n + 1,) the windows of row r are starts[r] to starts[r + 1]. opens, closes: (W,) seconds since
    1970, an extreme value where there is none. idle, spent: (W,) the state, as a position in `PRECEDENCE`,
    between the two and after closing. deadline_on: (W,) days. month, day: (W,) of the yearly closing, 0 where
    there is none. clock: (W,) second of the day at which it closes. zones: (W,) positions in `zone_names`.
    """

    starts: Int64
    opens: Int64
    closes: Int64
    idle: Codes
    spent: Codes
    deadline_on: Days
    month: Codes
    day: Codes
    clock: Days
    zones: NDArray[np.uint16]
    zone_names: tuple[str, ...]

    @classmethod
    def of(cls, documents: Sequence[tuple[Window, ...]]) -> Self:
        """The timetable of the windows of each document."""
        windows = [window for own in documents for window in own]
        names = sorted({_zone_name(window) for window in windows})
        code = {name: at for at, name in enumerate(names)}
        annual = [annual_day(window) or (0, 0) for window in windows]
        return cls(
            starts=starts(np.array([len(own) for own in documents], np.int64)),
            opens=np.array([_opens(window) for window in windows], np.int64),
            closes=np.array([_closes(window) for window in windows], np.int64),
            idle=np.array([_idle(window) for window in windows], np.uint8),
            spent=np.array([_UNKNOWN if w.kind == "recurring" else _CLOSED for w in windows], np.uint8),
            deadline_on=np.array([_days(window.deadline_on) for window in windows], np.int32),
            month=np.array([month for month, _ in annual], np.uint8),
            day=np.array([day for _, day in annual], np.uint8),
            clock=np.array([_clock_seconds(window) for window in windows], np.int32),
            zones=np.array([code[_zone_name(window)] for window in windows], np.uint16),
            zone_names=tuple(names),
        )

    def spliced(self, splice: Splice, added: Timetable) -> Self:
        """The timetable of these documents and of those `added`, at their new rows."""
        windows = splice.parts(self.starts, added.starts)
        merged = {
            name: windows.merged(getattr(self, name), getattr(added, name))
            for name in self.arrays()
            if name not in ("starts", "zones")
        }
        names = sorted({*self.zone_names, *added.zone_names})
        code = {name: at for at, name in enumerate(names)}
        ours, theirs = (
            np.array([code[name] for name in table.zone_names], np.int64)[table.zones]
            for table in (self, added)
        )
        used, zones = np.unique(windows.merged(ours, theirs), return_inverse=True)
        lengths = splice.merged(np.diff(self.starts), np.diff(added.starts))
        return type(self)(
            starts=starts(lengths),
            zones=zones.astype(np.uint16),
            zone_names=tuple(names[at] for at in used.tolist()),
            **merged,
        )

    @classmethod
    def arrays(cls) -> tuple[str, ...]:
        """The names of the array columns, in order."""
        return tuple(field.name for field in fields(cls) if field.name != "zone_names")

    def states(self, as_of: datetime) -> Codes:
        """(n,) codes of `AVAILABILITY`."""
        best: Codes = _CODE[self._best(self._ranks(asked(as_of)))]
        return best

    def shown(self, as_of: datetime) -> Shown:
        """State and shown window of every document."""
        ranks = self._ranks(asked(as_of))
        best = self._best(ranks)
        first, second = self._order(ranks, self.expected_on(as_of))
        counts = np.diff(self.starts)
        windows = np.where(counts > 0, self.starts[:-1], -1)
        # Only documents of several windows need a comparison.
        several = np.repeat(counts > 1, counts)
        candidates = np.flatnonzero(several)
        owners = np.repeat(np.arange(len(counts)), counts)[several]
        order = np.lexsort((candidates, second[several], first[several], ranks[several], owners))
        chosen, at = np.unique(owners[order], return_index=True)
        windows[chosen] = candidates[order][at]
        return Shown(states=_CODE[best], windows=windows, rank=best, soonest=_at(first, windows, _NEVER))

    def closes_on(self, shown: Shown) -> Days:
        """(n,) days: the deadline of the shown window, `NO_DAY` where none is known."""
        days = _at(self.deadline_on, shown.windows, int(NO_DAY))
        return np.where(shown.rank == _UNKNOWN, NO_DAY, days)

    def expected_on(self, as_of: datetime) -> Days:
        """(W,) days: the next yearly closing of each recurring window, `NO_DAY` for the others."""
        found = np.full(len(self.month), NO_DAY, np.int32)
        annual = np.flatnonzero(self.month)
        for code in np.unique(self.zones[annual]):
            rows = annual[self.zones[annual] == code]
            info, _ = zone(self.zone_names[code] or None)
            found[rows] = self._next(rows, as_of, info)
        return found

    def _next(self, rows: Int64, as_of: datetime, info: tzinfo) -> Days:
        local = as_of.astimezone(info)
        today = _days(local.date())
        second = local.hour * 3600 + local.minute * 60 + local.second
        this_year = _occurrences(local.year, self.month[rows], self.day[rows])
        ahead = (this_year > today) | ((this_year == today) & (self.clock[rows] >= second))
        days: Days = np.where(
            ahead, this_year, _occurrences(local.year + 1, self.month[rows], self.day[rows])
        )
        return days

    def _ranks(self, now: int) -> Codes:
        """(W,) state of each window as a position in `PRECEDENCE`."""
        after_opening = np.where(self.opens > now, np.uint8(_UPCOMING), self.idle)
        return np.where(self.closes < now, self.spent, after_opening)

    def _best(self, ranks: Codes) -> Codes:
        """(n,) state of each document as a position in `PRECEDENCE`."""
        best = np.full(len(self.starts) - 1, _UNKNOWN, np.uint8)
        owning = np.flatnonzero(np.diff(self.starts))
        if len(owning):
            best[owning] = np.minimum.reduceat(ranks, self.starts[owning])
        return best

    def _order(self, ranks: Codes, expected_on: Days) -> tuple[Int64, Int64]:
        """Two (W,) keys: which of two windows of one state is shown, the lower."""
        forecast = np.where(expected_on == NO_DAY, _NEVER, expected_on.astype(np.int64))
        upcoming = ranks == _UPCOMING
        first = np.where(upcoming, self.opens, self.closes)
        first = np.where(ranks == _UNKNOWN, forecast, first)
        first = np.where(ranks == _CLOSED, -self.closes, first)
        return first, np.where(upcoming, self.closes, 0)


def _opens(window: Window) -> int:
    return seconds(opens_at(window.opens_on, zone(window.zone)[0])) if window.opens_on else _ALWAYS


def _closes(window: Window) -> int:
    if window.deadline_on is None:
        return _NEVER
    return seconds(closes_at(window.deadline_on, clock(window), zone(window.zone)[0]))


def _idle(window: Window) -> int:
    if window.kind == "rolling":
        return _ROLLING
    return _UNKNOWN if window.deadline_on is None else _OPEN


def _days(day: date | None) -> int:
    return int(NO_DAY) if day is None else (day - _EPOCH_ON).days


def _clock_seconds(window: Window) -> int:
    at = clock(window)
    return at.hour * 3600 + at.minute * 60 + at.second


def _occurrences(year: int, month: Codes, day: Codes) -> Days:
    """Days since 1970 of a month and day in `year`; 29 February is the 28th in a common year."""
    january = np.datetime64(f"{year:04d}-01", "M")
    first = (january + (month.astype(np.int64) - 1)).astype("datetime64[D]").astype(np.int64)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    missing = (month == 2) & (day == 29) & (not leap)
    days: Days = (first + day.astype(np.int64) - 1 - missing).astype(np.int32)
    return days


def _at(values: NDArray[_Scalar], places: Int64, missing: int) -> NDArray[_Scalar]:
    """(n,) values[places], and `missing` where a place is -1."""
    found = np.full(len(places), missing, values.dtype)
    has = places >= 0
    found[has] = values[places[has]]
    return found


def _zone_name(window: Window) -> str:
    """The zone to read the window in; "" stands for the last place on earth, assumed."""
    return window.zone if window.zone and not zone(window.zone)[1] else ""
