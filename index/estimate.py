"""When would a programme's next round close, if it went on as its past rounds did? An estimate, never a fact.

It speaks only where no stated round lies ahead, and rests on one of three things: rounds of different years that
closed at the same time of year; one such round of a record that calls itself annual, or names its rounds year by
year; a stated day of every year. Anything thinner gives no estimate. `index.availability` knows nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median_low

from index.availability import availability, expected
from index.document import Document, Window
from index.zone import zone

TOLERANCE_DAYS = 31
"""Rounds of one series close at most this far from the same day of the year before."""
LONGEST_PERIOD_YEARS = 3
_YEAR_DAYS = 365.25
_NAMED_ROUNDS = 3  # years that cycles have to name before one dated round among them is a pattern
_ALIVE = frozenset({"open", "rolling", "upcoming"})
_YEARLY = re.compile(
    r"\b(?:annual(?:ly)?|yearly|(?:each|every) year|jährlich\w*|anual(?:mente)?|cada año|todos los años"
    r"|årlig(?:en|t)?|varje år|corocznie|co roku|chaque année|annuel(?:le)?(?:ment)?)\b|每年|매년|毎年",
    re.IGNORECASE,
)
# What comes round each year there is money, not an application.
_MONEY = re.compile(
    r"\b(?:annual|yearly)\s+(?:\w+\s+)?(?:income|tuition|fees?|stipend|salary|budget|value|report|meeting|conference)",
    re.IGNORECASE,
)
_CYCLE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A day around which the next round should close, and why.

    opens_on: when it should open; None where fewer than two past openings are known. years: the years of the
    rounds it rests on, ascending; empty where only a day of every year is stated. basis: one English clause.
    """

    deadline_on: date
    opens_on: date | None
    years: tuple[int, ...]
    basis: str


@dataclass(slots=True)
class _Series:
    """Past rounds that closed at one time of the year, oldest first."""

    rounds: list[Window] = field(default_factory=list)

    @property
    def days(self) -> list[date]:
        return [window.deadline_on for window in self.rounds if window.deadline_on]

    @property
    def gaps(self) -> list[int]:
        """Years between one round and the next."""
        days = self.days
        return [_years(later - earlier) for earlier, later in pairwise(days)]


def estimate(documents: Sequence[Document], as_of: datetime) -> Estimate | None:
    """What the records of one programme let one expect at `as_of`; None when a stated round lies ahead, or too little.

    Raises ValueError on a naive or far-off instant, as `availability` does.
    """
    windows = [window for document in documents for window in document.windows]
    if availability(tuple(windows), as_of).state in _ALIVE:
        return None
    repeated = list(_repeated(windows, as_of, _says_annual(documents)))
    stated = min(_stated(windows, as_of), key=_soonest, default=None)
    if stated is None:
        return min(repeated, key=_soonest, default=None)
    near = (one for one in repeated if abs((one.deadline_on - stated.deadline_on).days) <= TOLERANCE_DAYS)
    past = min(near, key=_soonest, default=None)
    return stated if past is None else _joined(stated, past)


def _soonest(one: Estimate) -> date:
    return one.deadline_on


def _joined(stated: Estimate, past: Estimate) -> Estimate:
    """The stated day, with the rounds that bear it out."""
    return Estimate(stated.deadline_on, past.opens_on, past.years, f"{stated.basis}; {past.basis}")


def _stated(windows: Iterable[Window], as_of: datetime) -> Iterator[Estimate]:
    """One estimate for each day of the year that a recurring window states."""
    for window in windows:
        day = expected(window, as_of, zone(window.zone)[0])
        if day is not None:
            yield Estimate(day, None, (), f"stated to close on {_day(day)} each year")


def _repeated(windows: Iterable[Window], as_of: datetime, annual: bool) -> Iterator[Estimate]:
    """One estimate for each series of dated rounds that is still alive, if such series are most of what there was."""
    dated = _dated(windows)
    named = _named_years(windows)
    alive = []
    for series in _series(dated):
        period = _period(series, annual, named)
        today = as_of.astimezone(zone(series.rounds[-1].zone)[0]).date()
        if period is not None and _goes_on(series, period, dated[-1], today):
            alive.append((series, period, today))
    # Days all over the year under one name are many calls, of which two fell together by chance.
    if 2 * sum(len(series.rounds) for series, _, _ in alive) >= len(dated):
        yield from (_next(series, period, today) for series, period, today in alive)


def _goes_on(series: _Series, period: int, newest: Window, today: date) -> bool:
    """Whether at most one turn of a series was missed, and none while `newest`, another round, was held."""
    last = series.days[-1]
    turn = period * _YEAR_DAYS
    moved = newest.deadline_on is not None and (newest.deadline_on - last).days > turn - TOLERANCE_DAYS
    turns = 2 if len(series.rounds) > 1 else 1  # one round alone has to be the last one
    return not moved and (today - last).days <= turns * turn + TOLERANCE_DAYS


def _dated(windows: Iterable[Window]) -> list[Window]:
    """The rounds with a last day, one for each day, in order; of two of one day the one that says when it opened."""
    by_day: dict[date, Window] = {}
    for window in windows:
        day = window.deadline_on
        if day is None or window.kind not in ("fixed", "unknown"):
            continue
        if day not in by_day or by_day[day].opens_on is None:
            by_day[day] = window
    return [by_day[day] for day in sorted(by_day)]


def _series(dated: Sequence[Window]) -> list[_Series]:
    """The rounds, each with its predecessor: the one of an earlier year that closed nearest to the same day."""
    found: list[_Series] = []
    for window in dated:
        near = [(distance, one) for one in found if (distance := _distance(one, window)) is not None]
        if near:
            min(near, key=lambda pair: pair[0])[1].rounds.append(window)
        else:
            found.append(_Series([window]))
    return found


def _distance(series: _Series, window: Window) -> float | None:
    """Days by which a round misses the day of the year of the newest in `series`; None when too far, or too soon."""
    if window.deadline_on is None:
        return None
    passed = window.deadline_on - series.days[-1]
    years = _years(passed)
    distance = abs(passed.days - years * _YEAR_DAYS)
    return distance if 1 <= years <= LONGEST_PERIOD_YEARS and distance <= TOLERANCE_DAYS else None


def _period(series: _Series, annual: bool, named: frozenset[int]) -> int | None:
    """After how many years the series comes back; None where its rounds are too few to tell."""
    gaps = series.gaps
    if 1 in gaps:
        return 1
    if len(gaps) >= 2 and len(set(gaps)) == 1:  # every second or third year
        return gaps[0]
    if gaps:
        return None
    year = series.days[0].year
    in_a_row = all(year - back in named for back in range(1, _NAMED_ROUNDS))
    return 1 if annual or in_a_row else None


def _next(series: _Series, period: int, today: date) -> Estimate:
    days = series.days
    turn = period
    while (day := _typical(days, turn)) < today:
        turn += period
    leads = [(w.deadline_on - w.opens_on).days for w in series.rounds if w.deadline_on and w.opens_on]
    opens_on = day - timedelta(days=median_low(leads)) if len(leads) > 1 else None
    return Estimate(day, opens_on, tuple(sorted({one.year for one in days})), _basis(days))


def _typical(days: Sequence[date], turn: int) -> date:
    """`turn` years after the last of `days`, on the middle one of their days of the year."""
    last = days[-1]
    offsets = [(day - _moved(last, -_years(last - day))).days for day in days]
    return _moved(last, turn) + timedelta(days=median_low(offsets))


def _moved(day: date, years: int) -> date:
    """The same day of another year; 29 February falls on the 28th in a common year."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 2, 28)


def _years(passed: timedelta) -> int:
    return round(passed.days / _YEAR_DAYS)


def _says_annual(documents: Iterable[Document]) -> bool:
    """Whether a title, a cycle or the words of a deadline call the programme a yearly one."""
    texts = [document.title for document in documents]
    for document in documents:
        texts += [part for window in document.windows for part in (window.text, window.cycle) if part]
    return any(_YEARLY.search(_MONEY.sub(" ", text)) for text in texts)


def _named_years(windows: Iterable[Window]) -> frozenset[int]:
    """The years that cycles are named by: the first of each name ("2025/26" is 2025)."""
    found = (_CYCLE.search(window.cycle) for window in windows if window.cycle)
    return frozenset(int(match[0]) for match in found if match)


def _basis(days: Sequence[date]) -> str:
    years = _listed([str(year) for year in dict.fromkeys(day.year for day in days)])
    if len({(day.month, day.day) for day in days}) == 1:
        return f"closed on {_day(days[0])} in {years}"
    # Ordered within the year of the last, so that 30 December and 2 January are neighbours.
    last = days[-1]
    ordered = sorted(days, key=lambda day: day - _moved(last, -_years(last - day)))
    return f"closed between {_day(ordered[0])} and {_day(ordered[-1])} in {years}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"
