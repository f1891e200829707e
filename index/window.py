"""Windows of a record: the JSON form of CONTRACT 5 to `Window` and back, strictly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import get_args

from index.document import Window, WindowKind
from index.errors import RecordError
from index.scalar import day, items, line, prose
from index.zone import AOE

_KEYS = frozenset({"opens_on", "deadline_on", "month_day", "time", "zone", "kind", "cycle", "text"})
_KINDS: Mapping[str, WindowKind] = {kind: kind for kind in get_args(WindowKind)}
_MONTH_DAY = re.compile(r"--\d{2}-\d{2}")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
# A leap year, so that 29 February is a day of the year.
_LEAP = 2000


def parse_windows(value: object, field: str, tolerant: bool) -> tuple[Window, ...]:
    """The windows of a JSON array; () when null. `tolerant` ignores unknown keys instead of naming them."""
    return tuple(_window(item, f"{field}[{at}]", tolerant) for at, item in enumerate(items(value, field)))


def window_record(window: Window) -> dict[str, object]:
    """The JSON form of a window, every key present."""
    return {
        "opens_on": iso(window.opens_on),
        "deadline_on": iso(window.deadline_on),
        "month_day": window.month_day,
        "time": window.time,
        "zone": window.zone,
        "kind": window.kind,
        "cycle": window.cycle,
        "text": window.text,
    }


def iso(value: date | None) -> str | None:
    """A day or instant in ISO 8601, None kept."""
    return None if value is None else value.isoformat()


def _window(item: object, field: str, tolerant: bool) -> Window:
    if not isinstance(item, Mapping):
        raise RecordError(field, item, "must be an object")
    if not tolerant:
        refuse_unknown(item, _KEYS, f"{field}.")
    opens_on = day(item.get("opens_on"), f"{field}.opens_on")
    deadline_on = day(item.get("deadline_on"), f"{field}.deadline_on")
    month_day = _month_day(item.get("month_day"), f"{field}.month_day")
    if opens_on and deadline_on and opens_on > deadline_on:
        raise RecordError(f"{field}.opens_on", iso(opens_on), f"lies after deadline_on {iso(deadline_on)}")
    if month_day and deadline_on:
        raise RecordError(f"{field}.month_day", month_day, "has no year, so deadline_on must be null")
    kind = _kind(item.get("kind"), f"{field}.kind", deadline_on, month_day)
    return Window(
        opens_on=opens_on,
        deadline_on=deadline_on,
        month_day=month_day,
        time=_time(item.get("time"), f"{field}.time"),
        zone=_zone(item.get("zone"), f"{field}.zone"),
        kind=kind,
        cycle=line(item.get("cycle"), f"{field}.cycle"),
        text=prose(item.get("text"), f"{field}.text"),
    )


def _kind(value: object, field: str, deadline_on: date | None, month_day: str | None) -> WindowKind:
    """The kind as stated; where none is stated, what the dates say."""
    if value is None:
        if month_day:
            return "recurring"
        return "fixed" if deadline_on else "unknown"
    if not isinstance(value, str) or value not in _KINDS:
        raise RecordError(field, value, f"must be one of {', '.join(_KINDS)}")
    kind = _KINDS[value]
    if month_day and kind != "recurring":
        raise RecordError(field, value, "must be recurring, since the window has a month_day")
    return kind


def _month_day(value: object, field: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not _MONTH_DAY.fullmatch(value):
        raise RecordError(field, value, "must be a day of the year written --MM-DD, or null")
    try:
        date(_LEAP, int(value[2:4]), int(value[5:7]))
    except ValueError as error:
        raise RecordError(field, value, f"is not a day of the calendar ({error})") from error
    return value


def _time(value: object, field: str) -> str | None:
    # 24:00 is how German sources write the end of the day, which is what no time means.
    if value is None or value == "24:00":
        return None
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise RecordError(field, value, "must be a local time written HH:MM, or null")
    return value


def _zone(value: object, field: str) -> str | None:
    name = line(value, field)
    return AOE if name is not None and name.casefold() == AOE.casefold() else name


def refuse_unknown(item: Mapping[str, object], known: frozenset[str], prefix: str = "") -> None:
    """Nothing when every key is known. Raises RecordError naming the first other one."""
    for key, value in item.items():
        if key not in known:
            raise RecordError(f"{prefix}{key}", value, "is not a part of a record")
