"""How far off estimates of the next round are: the last year of real records is hidden, and then compared.

Every programme is asked about on the day after its newest remaining round. Beside it stands what the last round
alone would have said, also where no estimate is given: what keeping silent has saved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from index.document import Document
from index.estimate import estimate

WITHIN_DAYS = (7, 14, 31)
_YEAR_DAYS = 365
_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """One programme with its last year hidden.

    source: whose records they are. off, opening_off: days between the estimated and the nearest hidden day; None where
    nothing was estimated. plain_off: the same of the last round, a year later.
    """

    source: str
    off: int | None
    opening_off: int | None
    plain_off: int


def bench_estimates(documents: Iterable[Document], least_years: int = 3) -> dict[str, Any]:
    """The figures of all programmes with rounds in at least `least_years` years, in all and by source."""
    trials = [trial for records in _programmes(documents).values() for trial in _tried(records, least_years)]
    sources = sorted({trial.source for trial in trials})
    return {
        "least_years": least_years,
        "within_days": list(WITHIN_DAYS),
        "all": _figures(trials),
        "sources": {name: _figures([trial for trial in trials if trial.source == name]) for name in sources},
    }


def _programmes(documents: Iterable[Document]) -> Mapping[_Key, list[Document]]:
    """Records by programme: the stated one, else one source's records of one title and provider."""
    found: dict[_Key, list[Document]] = defaultdict(list)
    for one in documents:
        named = (one.source or "", one.provider or "", one.title.casefold())
        found[(one.programme_id,) if one.programme_id else named].append(one)
    return found


def _tried(records: Sequence[Document], least_years: int) -> Iterator[Trial]:
    days = sorted({day for one in records for window in one.windows if (day := window.deadline_on)})
    years = {day.year for day in days}
    if len(years) < max(least_years, 2):
        return
    hidden = max(years)
    last = max(day for day in days if day.year < hidden)
    closings = [day for day in days if day.year == hidden]
    # Two days later, at noon UTC, the last round is over everywhere on earth.
    found = estimate(_before(records, hidden), datetime.combine(last + timedelta(days=2), time(12), UTC))
    openings = [
        w.opens_on for one in records for w in one.windows if w.opens_on and w.deadline_on in closings
    ]
    yield Trial(
        source=records[0].source or "",
        off=_off(found.deadline_on if found else None, closings),
        opening_off=_off(found.opens_on if found else None, openings),
        plain_off=min(abs((last + timedelta(days=_YEAR_DAYS) - day).days) for day in closings),
    )


def _before(records: Iterable[Document], year: int) -> list[Document]:
    return [
        replace(
            one, windows=tuple(w for w in one.windows if w.deadline_on is None or w.deadline_on.year < year)
        )
        for one in records
    ]


def _off(estimated: date | None, real: Iterable[date]) -> int | None:
    """Days to the nearest real one; None where there is nothing to compare."""
    return None if estimated is None else min((abs((estimated - day).days) for day in real), default=None)


def _figures(trials: Sequence[Trial]) -> dict[str, Any]:
    silent = [trial.plain_off for trial in trials if trial.off is None]
    return {
        "programmes": len(trials),
        "estimated": sum(trial.off is not None for trial in trials),
        "closing": _shares([trial.off for trial in trials if trial.off is not None]),
        "opening": _shares([trial.opening_off for trial in trials if trial.opening_off is not None]),
        "silent": len(silent),
        "silent_last_round": _shares(silent),
    }


def _shares(off: Sequence[int]) -> dict[str, float | int]:
    """How many there are, and the share of them within each number of days."""
    shares = {str(days): round(sum(one <= days for one in off) / len(off), 4) for days in WITHIN_DAYS if off}
    return {"n": len(off), **shares}
