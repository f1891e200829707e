"""Whether one can still apply, as the question means it: 3 (now) to 1 (over). Pure functions of windows and a day.

The steps between come from how people judged: what does not say when it closes is worth a little less than what is
open, what opens only after months less again, and the round after the next one is merely good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from index.availability import Availability, availability
from index.document import Window
from index.timeintent import TimeIntent
from index.types import AvailabilityState
from training.synthesis.facts import Facts

_EXACT, _GOOD, _RELATED = 3.0, 2.0, 1.0
_ROLLING, _RECURRING, _UNDATED = 2.9, 2.4, 2.5
_SOON_DAYS, _YEAR_DAYS, _STALE_YEARS = 150, 365, 1
_NOW: Mapping[AvailabilityState, float] = {
    "open": 3.0,
    "rolling": 3.0,
    "unknown": 2.0,
    "upcoming": 1.6,
    "closed": 1.0,
}
"""The most a state is worth to who wants to apply at this moment."""


def standing(
    facts: Facts, rounds: Sequence[Facts], as_of: datetime, intent: TimeIntent, *, named: bool
) -> float:
    """0 to 3: whether one can still apply, as the question means it.

    rounds: all records of the programme, this one among them. named: the question names the programme, so that its
    newest round tells something even when it is over.
    """
    shown = availability(facts.document.windows, as_of)
    if intent.kind == "deadline_question":
        return _answers_when(facts, shown, rounds, as_of, named=named)
    plain = _plain_standing(facts, shown, rounds, as_of, named=named)
    if intent.kind == "open_now":
        return min(plain, _NOW[shown.state])
    if intent.kind == "past":
        return _past(shown, intent, plain)
    if intent.kind == "period":
        return min(plain, _in_period(shown, intent))
    return plain


def _plain_standing(
    facts: Facts, shown: Availability, rounds: Sequence[Facts], as_of: datetime, *, named: bool
) -> float:
    states = {other.doc_id: availability(other.document.windows, as_of) for other in rounds}
    match shown.state:
        case "open":
            return _open(shown)
        case "rolling":
            return 2.9
        case "upcoming":
            return _upcoming(facts, shown, states, as_of.date()) + (0.2 if named else 0.0)
        case "closed":
            alive = any(state.state != "closed" for state in states.values())
            return (
                1.8 if named and not alive and _comes_back(rounds) and _is_last(facts, rounds) else _RELATED
            )
        case _:
            if _is_stale(facts, as_of.date()):
                return 1.3
            return 2.4 if shown.expected_on else 2.5


def _open(shown: Availability) -> float:
    """What closes in more than a year, and does not say that it is open already, is rather the round after next."""
    window = shown.window
    if shown.days_left is None or (window and window.opens_on) or shown.days_left <= _YEAR_DAYS:
        return _EXACT
    return 2.3 if shown.days_left <= 2 * _YEAR_DAYS else _GOOD


def _upcoming(facts: Facts, shown: Availability, states: Mapping[str, Availability], today: date) -> float:
    """The nearest next round counts fully; the round after it within a year is good; a further one is related."""
    window = shown.window
    opens = window.opens_on if window and window.opens_on else today
    wait = (opens - today).days
    others = [state for doc_id, state in states.items() if doc_id != facts.doc_id]
    if any(state.state in ("open", "rolling") for state in others):
        return _GOOD if wait <= _YEAR_DAYS else _RELATED
    nearer = any(
        state.state == "upcoming" and state.window and state.window.opens_on and state.window.opens_on < opens
        for state in others
    )
    if nearer:
        return _GOOD if wait <= _YEAR_DAYS else _RELATED
    if wait <= _SOON_DAYS:
        return 2.5
    return _GOOD if wait <= _YEAR_DAYS else _RELATED


def _answers_when(
    facts: Facts, shown: Availability, rounds: Sequence[Facts], as_of: datetime, *, named: bool
) -> float:
    """The record that gives the day of the running or next round answers; a record without days does not."""
    plain = _plain_standing(facts, shown, rounds, as_of, named=named)
    if shown.state == "unknown":
        return 2.6 if shown.expected_on else min(plain, 1.9)
    return plain


def _in_period(shown: Availability, intent: TimeIntent) -> float:
    """Whether the last day lies in the stretch asked for; being open somewhere in it is less."""
    if shown.state == "rolling":
        return 2.8
    closing = _closing(shown)
    if closing is None:
        return _GOOD
    if (intent.start is None or intent.start <= closing) and (intent.end is None or closing <= intent.end):
        return _EXACT if shown.state != "unknown" else 2.6
    opens = shown.window.opens_on if shown.window else None
    if (
        intent.end
        and closing > intent.end
        and shown.state == "open"
        and (opens is None or opens <= intent.end)
    ):
        return 2.0  # can be applied for by then, though it stays open for longer
    return 1.2


def _past(shown: Availability, intent: TimeIntent, plain: float) -> float:
    """A named year that is over: its own round is what was named; what is open now is the next best."""
    closing = shown.window.deadline_on if shown.window else None
    if intent.start is None and intent.end is None:
        return _EXACT if shown.state == "closed" else 2.4
    if closing and (intent.start or date.min) <= closing <= (intent.end or date.max):
        return 2.4
    return min(plain, 2.5)


def _closing(shown: Availability) -> date | None:
    if shown.state == "unknown":
        return shown.expected_on
    return shown.window.deadline_on if shown.window else None


def _is_stale(facts: Facts, today: date) -> bool:
    """Whether an undated record names a year that is over."""
    years = [int(w.cycle[:4]) for w in facts.document.windows if w.cycle and w.cycle[:4].isdigit()]
    return bool(years) and max(years) + _STALE_YEARS < today.year and not _recurs(facts.document.windows)


def _recurs(windows: Iterable[Window]) -> bool:
    return any(window.kind == "recurring" for window in windows)


def _comes_back(rounds: Sequence[Facts]) -> bool:
    """Whether the programme plainly recurs: rounds of several years are known."""
    return len({day.year for facts in rounds for day in _days(facts)}) > 1


def _is_last(facts: Facts, rounds: Sequence[Facts]) -> bool:
    own = max(_days(facts), default=date.min)
    return all(max(_days(other), default=date.min) <= own for other in rounds)


def _days(facts: Facts) -> list[date]:
    return [window.deadline_on for window in facts.document.windows if window.deadline_on]
