"""Time zones of windows: names to zones, calendar days to the instants at which they begin and end.

An instant is compared in whole seconds. Where a clock is set back or forward over the minute in question the
reading that favours the applicant is taken: the earlier opening, the later closing.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

AOE = "AoE"
"""Anywhere on Earth: a day ends when it ends in the last place, at UTC-12."""
LAST_PLACE = timezone(timedelta(hours=-12), AOE)

FIRST_AS_OF, LAST_AS_OF = 1900, 2199
"""The years `as_of` may lie in; calendar arithmetic is safe inside them."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_NAME = re.compile(r"[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+)*")
# Files that time zone databases hold beside the zones; what they mean depends on the host.
_NOT_ZONES = frozenset({"localtime", "posixrules", "Factory"})


@lru_cache(maxsize=1024)
def zone(name: str | None) -> tuple[tzinfo, bool]:
    """The zone called `name`, and whether it is assumed: without a known name, the last place on earth."""
    if name == AOE:
        return LAST_PLACE, False
    if name is None or name in _NOT_ZONES or not _NAME.fullmatch(name):
        return LAST_PLACE, True
    try:
        return ZoneInfo(name), False
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return LAST_PLACE, True


def opens_at(day: date, info: tzinfo) -> datetime:
    """The instant in UTC at which `day` begins in `info`."""
    return datetime.combine(day, time.min, info).astimezone(UTC)


def closes_at(day: date, clock: time, info: tzinfo) -> datetime:
    """The last second in UTC at which one may apply, when a window closes on `day` at `clock` in `info`."""
    local = datetime.combine(day, clock, info)
    return max(local.astimezone(UTC), local.replace(fold=1).astimezone(UTC))


def seconds(instant: datetime) -> int:
    """Whole seconds since 1970 of an aware instant, rounded down."""
    return (instant - _EPOCH) // _SECOND


def asked(as_of: datetime) -> int:
    """`seconds` of the instant of a question. Raises ValueError on a naive instant or one out of range."""
    if as_of.tzinfo is None:
        raise ValueError("as_of must carry a time zone")
    if not FIRST_AS_OF <= as_of.year <= LAST_AS_OF:
        raise ValueError(f"as_of must lie between the years {FIRST_AS_OF} and {LAST_AS_OF}")
    return seconds(as_of)


def instant_of_day(day: date, name: str | None = None) -> datetime:
    """The instant in UTC that stands for a question asked on `day` without a time: its noon in zone `name`.

    Without a (known) zone it is noon UTC, when the day begins in the last place on earth: a deadline of the
    day before has then passed everywhere, one of the day itself is open in every zone up to UTC+11.
    """
    info, assumed = zone(name)
    return datetime.combine(day, time(12), UTC if assumed else info).astimezone(UTC)
