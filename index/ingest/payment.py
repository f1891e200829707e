"""What a row says an award pays: its amount columns, else the one sum that its description names."""

from __future__ import annotations

import re

from index.document import Amount
from index.ingest.cells import Cells
from index.ingest.clean.currency import codes, currency_of
from index.ingest.clean.money import Money, read_money, single_sum
from index.ingest.clean.sums import mentions
from index.ingest.mapping import ColumnMap

_EACH = re.compile(r"(?:valued at|worth|of)\s[^.;]{0,30}\beach\b", re.IGNORECASE)
_COMMA_DECIMALS = frozenset({"de", "es", "fr", "it", "nl", "pl", "pt", "sv", "tr", "id", "vi"})
_BUDGET_FACTOR = 3
"""A sum this many times what "each" award is said to be worth pays for all of them."""


def read_payment(row: Cells, by: ColumnMap, description: str) -> Money:
    """The amount of a row, and what about it is doubtful."""
    columns = by.columns_of("amount")
    said = row.texts(columns)
    currency = _stated_currency(row, by) or _currency_in_name(columns) or by.currency
    if said:
        money = read_money("; ".join(said), currency, _dots(by))
        return _without_budget(money, description) if money.amount and money.amount.max else money
    bounds = _bounds(row, by)
    if bounds is not None:
        low, high = bounds
        certain = currency if low is not None or high is not None else None
        return Money(Amount(low, high, certain))
    if columns and description and single_sum(description):
        amount = read_money(description, currency, _dots(by)).amount
        if amount and (amount.min or amount.max):
            return Money(Amount(amount.min, amount.max, amount.currency, amount.period))
    return Money(None)


def _dots(by: ColumnMap) -> bool | None:
    """Whether a dot groups thousands in this file, by its map or by how its language writes numbers."""
    if by.decimal:
        return by.decimal == ","
    return True if by.language in _COMMA_DECIMALS else None


def _bounds(row: Cells, by: ColumnMap) -> tuple[float | None, float | None] | None:
    """The least and the most of columns of numbers; a zero is how tables write "unknown"."""
    low, high = (_number(row, by.columns_of(name)) for name in ("amount_min", "amount_max"))
    if low is None and high is None:
        return None
    return None if low is not None and high is not None and low > high else (low, high)


def _number(row: Cells, columns: tuple[str, ...]) -> float | None:
    for column in columns:
        value = row.cell(column)
        if isinstance(value, str) and re.fullmatch(r"\d+(?:\.\d{1,2})?", value.strip()):
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e12:
            return float(value)
    return None


def _stated_currency(row: Cells, by: ColumnMap) -> str | None:
    for text in row.texts(by.columns_of("currency")):
        code = currency_of(text)
        if code in codes():
            return code
    return None


def _currency_in_name(columns: tuple[str, ...]) -> str | None:
    """The currency that the name of a column ends in: "typical_amount_sek", "Amount (USD)"."""
    for column in columns:
        last = re.split(r"[^A-Za-z]+", column.strip(" )]"))[-1].upper()
        if last in codes():
            return last
    return None


def _without_budget(money: Money, description: str) -> Money:
    """`money`, its numbers dropped when the description says that each award is worth far less."""
    match = _EACH.search(description) if "each" in description.lower() else None
    if match is None or money.amount is None or money.amount.max is None:
        return money
    each = [mention.high for mention in mentions(match[0]) if mention.high]
    if each and money.amount.max >= _BUDGET_FACTOR * max(each):
        amount = money.amount
        return Money(Amount(currency=amount.currency, text=amount.text), "a budget of a whole programme")
    return money
