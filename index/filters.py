"""The hard constraints of a query as a mask over rows.

Each constraint finds the rows that meet it and the rows that state the fact at all. A row that does not state
it passes when `Filters.unknown` is "include". Availability is the exception: "unknown" is one of the values
that can be asked for, so a row passes exactly when its state was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import numpy as np

from index.attribute import Attribute, fold
from index.availability import AVAILABILITY
from index.columns import Columns
from index.countries import ANY
from index.discipline import covers
from index.timetable import NO_DAY
from index.types import Filters, Mask, MinAmount

_Test = tuple[Mask, Mask]
"""(n,) who meets a constraint, and (n,) who states the fact it is about."""

_EPOCH_ON = date(1970, 1, 1)


def mask(columns: Columns, filters: Filters, as_of: datetime) -> Mask:
    """(n,) whether each row may be shown to a query with these filters, asked at `as_of`.

    Raises ValueError when `filters.availability` holds something that is not a state.
    """
    allowed = np.ones(len(columns), np.bool_)
    for met, stated in _tests(columns, filters, as_of):
        allowed &= met | ~stated if filters.unknown == "include" else met
    if filters.availability:
        allowed &= np.isin(columns.states(as_of), [_code(state) for state in filters.availability])
    return allowed


def _code(state: str) -> int:
    if state not in AVAILABILITY:
        raise ValueError(f"{state!r} is no availability; there are {', '.join(AVAILABILITY)}")
    return AVAILABILITY.index(state)


def _tests(columns: Columns, filters: Filters, as_of: datetime) -> Iterator[_Test]:
    attributes = columns.attributes
    for name, values in (
        ("host_countries", filters.host_countries),
        ("nationalities", (filters.nationality, ANY) if filters.nationality else ()),
        ("levels", filters.levels),
        ("languages", filters.languages),
    ):
        if values:
            yield attributes[name].having(values), attributes[name].stated
    if filters.fields:
        yield _fields(attributes["fields"], filters.fields), attributes["fields"].stated
    if filters.provider:
        yield _containing(attributes["provider"], filters.provider), attributes["provider"].stated
    if filters.min_amount:
        yield _amount(columns, filters.min_amount)
    if filters.deadline_from or filters.deadline_to:
        yield _deadline(columns, filters.deadline_from, filters.deadline_to, as_of)


def _fields(attribute: Attribute, wanted: tuple[str, ...]) -> Mask:
    needles = [fold(field).strip() for field in wanted]
    return attribute.having_codes(
        code
        for code, stated in enumerate(attribute.folded)
        if any(covers(needle, stated) for needle in needles)
    )


def _containing(attribute: Attribute, text: str) -> Mask:
    needle = fold(text).strip()
    return attribute.having_codes(code for code, value in enumerate(attribute.folded) if needle in value)


def _amount(columns: Columns, asked: MinAmount) -> _Test:
    """A sum in another currency, and a "from" sum below the one asked for, are not known."""
    comparable = columns.attributes["currency"].having((asked.currency,))
    # A comparison with NaN is false, which is what "not stated" should give.
    reaches = comparable & ((columns.most >= asked.value) | (columns.least >= asked.value))
    falls_short = comparable & (columns.most < asked.value)
    return reaches, reaches | falls_short


def _deadline(columns: Columns, first: date | None, last: date | None, as_of: datetime) -> _Test:
    """Both days belong to the range; a document without a known deadline states none."""
    days = columns.timetable.closes_on(columns.shown(as_of))
    stated = days != NO_DAY
    met = stated.copy()
    if first:
        met &= days >= (first - _EPOCH_ON).days
    if last:
        met &= days <= (last - _EPOCH_ON).days
    return met, stated
