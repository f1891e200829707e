"""On which day a question is asked: days around the rounds of the records it is about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from index.document import Window
from training.synthesis.facts import Facts

FIRST_DAY, LAST_DAY = date(2012, 1, 1), date(2028, 6, 30)
# A round that does not say when it opened is taken to have been open for a season.
_OPEN_DAYS, _BEFORE_DAYS, _AFTER_DAYS = 100, 200, 330


def noon(day: date) -> datetime:
    """The instant at which a question of that day is asked: noon in UTC."""
    return datetime.combine(day, time(12), UTC)


def draw_day(facts: Facts, others: Sequence[Facts], rng: Random) -> date:
    """A day before, in or after a round of `facts`; of one of `others` where it has none with dates."""
    window = _dated(facts, rng)
    for _ in range(20):
        if window is not None or not others:
            break
        window = _dated(rng.choice(others), rng)
    if window is None or window.deadline_on is None:
        return FIRST_DAY + timedelta(days=rng.randrange((LAST_DAY - FIRST_DAY).days))
    closes = window.deadline_on
    opens = window.opens_on or closes - timedelta(days=_OPEN_DAYS)
    match rng.choices(("open", "before", "after"), (0.52, 0.13, 0.35))[0]:
        case "open":
            day = opens + timedelta(days=rng.randrange(max((closes - opens).days, 0) + 1))
        case "before":
            day = opens - timedelta(days=rng.randrange(1, _BEFORE_DAYS))
        case _:
            day = closes + timedelta(days=rng.randrange(1, _AFTER_DAYS))
    return min(max(day, FIRST_DAY), LAST_DAY)


def ageing_days(candidates: Sequence[Facts], rng: Random, count: int) -> list[date]:
    """`count` days at which different ones of the candidates are closed; fewer when they have too few dates."""
    closings = sorted({w.deadline_on for one in candidates for w in one.document.windows if w.deadline_on})
    closings = [day for day in closings if FIRST_DAY <= day <= LAST_DAY]
    if len(closings) < 2:
        return []
    chosen = set()
    for _ in range(count * 3):
        at = rng.choice(closings)
        chosen.add(
            min(max(at + timedelta(days=rng.choice((-60, -21, -3, 0, 1, 4, 30, 90))), FIRST_DAY), LAST_DAY)
        )
        if len(chosen) == count:
            break
    return sorted(chosen)


def _dated(facts: Facts, rng: Random) -> Window | None:
    dated = [window for window in facts.document.windows if window.deadline_on]
    return rng.choice(dated) if dated else None
