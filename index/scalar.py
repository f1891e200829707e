"""The small values a record is made of, read strictly: text, days, instants, numbers, codes.

Every reader takes the raw value and the name of its field, returns None for null, and raises `RecordError`
naming the field when the value is of another kind. Text comes back in Unicode NFC; blank text is None.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection
from datetime import UTC, date, datetime

from index.errors import RecordError

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""The years a record may name; outside them a date is a typing error or a sentinel, never a deadline."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?([Zz]|[+-]\d{2}:\d{2})")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_URL = re.compile(r"https?://[^\s/]\S*", re.IGNORECASE)
# White space, and the byte order marks, zero width spaces and word joiners that copying leaves at an edge.
_EDGE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\u2060"
)


def prose(value: object, field: str) -> str | None:
    """Text of any length, line breaks kept; None when null or without a single letter or digit."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise RecordError(field, value, "must be text or null")
    sound = _sound(value, field).strip(_EDGE)
    # A dash or a zero width space is how feeds write "nothing".
    return sound if any(map(str.isalnum, sound)) else None


def line(value: object, field: str) -> str | None:
    """Text on one line: as `prose`, with every run of white space made one space."""
    text = prose(value, field)
    return None if text is None else " ".join(text.split())


def lines(value: object, field: str) -> tuple[str, ...]:
    """A list of one-line texts without repeats, in the order given; () when null or empty."""
    found = [line(item, f"{field}[{at}]") for at, item in enumerate(items(value, field))]
    return tuple(dict.fromkeys(text for text in found if text is not None))


def codes(value: object, field: str, known: Collection[str], what: str) -> tuple[str, ...] | None:
    """A list of codes of the closed set `known`, without repeats; None when null or empty.

    `what` says in the reason of an error what a code must be.
    """
    for at, item in enumerate(found := items(value, field)):
        if not isinstance(item, str) or item not in known:
            raise RecordError(f"{field}[{at}]", item, f"must be {what}")
    return tuple(dict.fromkeys(str(item) for item in found)) or None


def items(value: object, field: str) -> list[object]:
    """The members of a JSON array; [] when null."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise RecordError(field, value, "must be a list or null")
    return list(value)


def day(value: object, field: str) -> date | None:
    """A calendar day written YYYY-MM-DD."""
    if value is None:
        return None
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise RecordError(field, value, "must be a day written YYYY-MM-DD, or null")
    try:
        found = date.fromisoformat(value)
    except ValueError as error:
        raise RecordError(field, value, f"is not a day of the calendar ({error})") from error
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise RecordError(field, value, f"must lie between the years {FIRST_YEAR} and {LAST_YEAR}")
    return found


def instant(value: object, field: str) -> datetime | None:
    """An aware instant in UTC, from ISO 8601 with an offset; a day alone is its midnight in UTC."""
    if value is None:
        return None
    if isinstance(value, str) and _DAY.fullmatch(value):
        value = f"{value}T00:00:00Z"
    if not isinstance(value, str) or not _INSTANT.fullmatch(value):
        raise RecordError(field, value, "must be an ISO 8601 instant with an offset, or null")
    try:
        found = datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise RecordError(field, value, f"is not an instant of the calendar ({error})") from error
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise RecordError(field, value, f"must lie between the years {FIRST_YEAR} and {LAST_YEAR}")
    return found


def number(value: object, field: str) -> float | None:
    """A finite number that is not negative; true and false are not numbers."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(field, value, "must be a number or null")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found) or found < 0:
        raise RecordError(field, value, "must be finite and not negative")
    return found


def language(value: object, field: str) -> str | None:
    """A BCP 47 tag with its primary subtag in lower case."""
    tag = line(value, field)
    if tag is None:
        return None
    if not _LANGUAGE.fullmatch(tag):
        raise RecordError(field, value, "must be a language tag such as en or zh-Hant")
    primary, separator, rest = tag.partition("-")
    return primary.lower() + separator + rest


def url(value: object, field: str) -> str | None:
    """A web address; anything but http and https is refused, since the page makes a link of it."""
    address = line(value, field)
    if address is not None and not _URL.fullmatch(address):
        raise RecordError(field, value, "must be an http or https address")
    return address


def _sound(value: str, field: str) -> str:
    """`value` in NFC. Raises RecordError on a NUL or on half of a surrogate pair, which no store can hold."""
    if "\0" in value:
        raise RecordError(field, value, "must not hold a NUL character")
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise RecordError(field, value, "holds an unpaired surrogate") from error
    return unicodedata.normalize("NFC", value)
