"""Which searches belong to one visit: those of one session, or else of one person, without a long pause."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

PAUSE_S = 1800.0
"""After so long without a search or an event, the next one begins a new visit."""

Moment = tuple[str, float]
"""Who, and when in seconds since 1970."""


def visits(moments: Iterable[Moment]) -> dict[Moment, int]:
    """The number of the visit of each moment: the same for moments of one visit, another for any other."""
    found: dict[Moment, int] = {}
    number = 0
    for _, own in groupby(sorted(set(moments)), key=lambda moment: moment[0]):
        before = None
        for moment in own:
            if before is None or moment[1] - before > PAUSE_S:
                number += 1
            found[moment] = number
            before = moment[1]
    return found
