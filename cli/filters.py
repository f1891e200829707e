"""Filters as they are typed, `name=value`, and what a search request makes of them."""

from __future__ import annotations

import json
import re
from typing import Any

import typer

SYNTAX = (
    "name=value, repeatable. Lists: host_countries=DE,FR  levels=master  fields=07,nursing  languages=en  "
    "availability=open,rolling. One value: nationality=IN  provider=DAAD  unknown=exclude. "
    "Days: deadline=2026-12-01..2027-01-31 (2026-12-01.. = from, ..2027-01-31 = until, 2026-12-01 = that day). "
    "Money: min_amount=10000EUR. Or JSON."
)
_SINGLE = frozenset({"nationality", "provider", "unknown"})
_DAY = r"\d{4}-\d{2}-\d{2}"
_RANGE = re.compile(rf"(?P<first>{_DAY})?\s*\.\.\s*(?P<last>{_DAY})?")
_SUM = re.compile(r"(?P<before>[A-Za-z]{3})?\s*(?P<value>\d[\d_]*(?:\.\d{1,2})?)\s*(?P<after>[A-Za-z]{3})?")


def read_filters(pairs: list[str]) -> dict[str, Any]:
    """The filters of a search request. Raises typer.BadParameter for what cannot be one."""
    chosen: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise _wrong(pair, "is not name=value")
        if value.startswith("{"):
            chosen[name] = _json(pair, value)
        elif name == "deadline":
            chosen[name] = _days(pair, value)
        elif name == "min_amount":
            chosen[name] = _amount(pair, value)
        elif name in _SINGLE:
            chosen[name] = value
        else:
            chosen.setdefault(name, []).extend(part for part in map(str.strip, value.split(",")) if part)
    return chosen


def _json(pair: str, value: str) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(value)
    except ValueError as error:
        raise _wrong(pair, f"not JSON ({error})") from error


def _days(pair: str, value: str) -> dict[str, str]:
    if re.fullmatch(_DAY, value):
        return {"from": value, "to": value}
    found = _RANGE.fullmatch(value)
    if found is None or not (found["first"] or found["last"]):
        raise _wrong(
            pair, "write deadline=2026-12-01..2027-01-31, deadline=2026-12-01.. or deadline=..2027-01-31"
        )
    ends = {"from": found["first"], "to": found["last"]}
    return {name: day for name, day in ends.items() if day}


def _amount(pair: str, value: str) -> dict[str, Any]:
    found = _SUM.fullmatch(value)
    # One currency, before or after: "EUR 10000", "10000EUR".
    if found is None or bool(found["before"]) == bool(found["after"]):
        raise _wrong(pair, "write min_amount=10000EUR: digits and a currency of three letters")
    currency = (found["before"] or found["after"]).upper()
    return {"value": float(found["value"].replace("_", "")), "currency": currency}


def _wrong(pair: str, why: str) -> typer.BadParameter:
    return typer.BadParameter(f"{pair!r}: {why}", param_hint="--filter")
