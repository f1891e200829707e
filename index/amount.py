"""Money of a record: the JSON form of CONTRACT 5 to `Amount` and back, strictly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from index.document import Amount, Period
from index.errors import RecordError
from index.scalar import number, prose
from index.window import refuse_unknown

_KEYS = frozenset({"min", "max", "currency", "period", "text"})
_PERIODS: Mapping[str, Period] = {period: period for period in get_args(Period)}
_CURRENCY = re.compile(r"[A-Z]{3}")


def parse_amount(value: object, field: str, tolerant: bool) -> Amount | None:
    """The amount of a JSON object; None when it states nothing. `tolerant` ignores unknown keys."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise RecordError(field, value, "must be an object or null")
    if not tolerant:
        refuse_unknown(value, _KEYS, f"{field}.")
    least = _sum(value.get("min"), f"{field}.min")
    most = _sum(value.get("max"), f"{field}.max")
    if least is not None and most is not None and least > most:
        raise RecordError(f"{field}.min", least, f"is more than max {most:g}")
    amount = Amount(
        min=least,
        max=most,
        currency=currency(value.get("currency"), f"{field}.currency"),
        period=_period(value.get("period"), f"{field}.period"),
        text=prose(value.get("text"), f"{field}.text"),
    )
    return None if amount == Amount() else amount


def amount_record(amount: Amount | None) -> dict[str, object] | None:
    """The JSON form of an amount, every key present."""
    if amount is None:
        return None
    return {
        "min": _plain(amount.min),
        "max": _plain(amount.max),
        "currency": amount.currency,
        "period": amount.period,
        "text": amount.text,
    }


def currency(value: object, field: str) -> str | None:
    """An ISO 4217 code: three capital letters."""
    if value is None:
        return None
    if not isinstance(value, str) or not _CURRENCY.fullmatch(value):
        raise RecordError(field, value, "must be three capital letters (ISO 4217), or null")
    return value


def _sum(value: object, field: str) -> float | None:
    found = number(value, field)
    if found == 0:
        raise RecordError(field, value, "must be more than 0; an unknown amount is null")
    return found


def _period(value: object, field: str) -> Period | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in _PERIODS:
        raise RecordError(field, value, f"must be one of {', '.join(_PERIODS)}, or null")
    return _PERIODS[value]


def _plain(value: float | None) -> float | int | None:
    """A whole sum as an integer, as people write it."""
    return int(value) if value is not None and float(value).is_integer() else value
