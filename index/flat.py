"""The flat form of a record: one column a fact, as tables and scraped feeds have it.

It differs from the contract form in its dates and money (`FLAT_KEYS`) and is read with more patience: other
columns are ignored, nested lists are opened, a sum of 0 is unknown, an address that is none is dropped.
Nothing is made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from index.amount import currency
from index.deadline import is_sentinel, read_deadline
from index.document import Amount, Window
from index.errors import RecordError
from index.scalar import FIRST_YEAR, LAST_YEAR, day, items, line, number, prose, url

FLAT_KEYS = frozenset(
    (
        "deadline",
        "opens",
        "deadline_text",
        "cycle_year",
        "amount_min",
        "amount_max",
        "currency",
        "amount_text",
    )
)


def is_flat(mapping: Mapping[str, object]) -> bool:
    """Whether a mapping is of the flat form: it has a flat column and neither `windows` nor `amount`."""
    nested = mapping.get("windows") is not None or mapping.get("amount") is not None
    return not nested and not FLAT_KEYS.isdisjoint(mapping)


def flat_windows(mapping: Mapping[str, object]) -> tuple[Window, ...]:
    """The windows of the flat columns: a full date fixed, a day of the year recurring, the rest text."""
    deadline = mapping.get("deadline")
    text = prose(mapping.get("deadline_text"), "deadline_text")
    opens_on, cycle = day(mapping.get("opens"), "opens"), _cycle(mapping.get("cycle_year"))
    stated = Window(opens_on=opens_on, cycle=cycle, text=text)
    if isinstance(deadline, str) and is_sentinel(deadline):
        return (replace(stated, kind="rolling", text=text or deadline),)
    if deadline_on := day(deadline, "deadline"):
        # An opening day after the deadline is a slip in one of the two; the deadline is what costs a year.
        early = opens_on if opens_on and opens_on <= deadline_on else None
        kept = None if text == deadline else text
        return (replace(stated, opens_on=early, deadline_on=deadline_on, kind="fixed", text=kept),)
    reading = read_deadline(text) if text else None
    if reading and reading.rolling:
        return (replace(stated, kind="rolling"),)
    if reading and reading.month_days:
        return tuple(replace(stated, month_day=found, kind="recurring") for found in reading.month_days)
    return () if stated == Window() else (stated,)


def flat_amount(mapping: Mapping[str, object]) -> Amount | None:
    """The amount of the flat columns, None when they state nothing; a least above the most drops both."""
    least = number(mapping.get("amount_min"), "amount_min") or None
    most = number(mapping.get("amount_max"), "amount_max") or None
    if least is not None and most is not None and least > most:
        least = most = None
    amount = Amount(
        min=least,
        max=most,
        currency=currency(mapping.get("currency"), "currency"),
        text=prose(mapping.get("amount_text"), "amount_text"),
    )
    return None if amount == Amount() else amount


def flat_fields(value: object) -> list[object]:
    """The list of fields with lists inside it opened."""
    found: list[object] = []
    for item in items(value, "fields"):
        found.extend(item if isinstance(item, list | tuple) else (item,))
    return found


def flat_url(value: object) -> str | None:
    """A web address; `www.` gets its scheme, and prose ("apply through your school") is no address."""
    text = line(value, "url")
    if text is None:
        return None
    try:
        return url(f"https://{text}" if text.lower().startswith("www.") else text, "url")
    except RecordError:
        return None


def _cycle(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return line(value, "cycle_year")
    if not FIRST_YEAR <= value <= LAST_YEAR:
        raise RecordError("cycle_year", value, f"must lie between {FIRST_YEAR} and {LAST_YEAR}")
    return str(value)
