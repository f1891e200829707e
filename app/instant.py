"""From what a caller writes for "as of" to one instant.

A plain date means **noon of that day** in the caller's time zone (`index.zone.instant_of_day` says why): a
deadline on that very day is then still open, and one on the day before has passed.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from index.zone import AOE, FIRST_AS_OF, LAST_AS_OF, instant_of_day, zone

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?"
    r"([Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)
_RANGE = f"must lie between the years {FIRST_AS_OF} and {LAST_AS_OF}"


def parse_zone(name: str) -> str:
    """`name` itself, when it is an IANA time zone. Raises ValueError."""
    _, assumed = zone(name)
    if assumed or name == AOE:
        raise ValueError("must be an IANA time zone, for example Europe/Berlin or UTC")
    return name


def parse_day(text: str) -> date:
    """A calendar day written YYYY-MM-DD. Raises ValueError."""
    if not _DAY.fullmatch(text):
        raise ValueError("must be a date written YYYY-MM-DD")
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise ValueError("must be a day that exists, written YYYY-MM-DD") from error
    if not FIRST_AS_OF <= day.year <= LAST_AS_OF:
        raise ValueError(_RANGE)
    return day


def parse_instant(text: str, zone_name: str = "UTC") -> datetime:
    """The instant `text` names, in UTC. Raises ValueError.

    A date is noon of that day in the zone; an instant without an offset is read in the zone.
    """
    if _DAY.fullmatch(text):
        moment = instant_of_day(parse_day(text), zone_name)
    elif _INSTANT.fullmatch(text):
        parse_day(text[:10])  # so that no conversion below can leave the calendar
        try:
            moment = datetime.fromisoformat(text.upper().replace(" ", "T"))
        except ValueError as error:
            raise ValueError("must be an instant that exists, for example 2026-05-01T09:30:00Z") from error
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone(zone_name)[0])
        moment = moment.astimezone(UTC)
    else:
        raise ValueError("must be a date (2026-05-01) or an instant (2026-05-01T09:30:00+02:00)")
    if not FIRST_AS_OF <= moment.year <= LAST_AS_OF:
        raise ValueError(_RANGE)
    return moment
