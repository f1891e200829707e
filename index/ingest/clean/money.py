"""The amount of an award from what its text says about money: only what is certain, the rest stays text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from index.document import Amount, Period
from index.ingest.clean.currency import AMBIGUOUS, DOLLAR, DOLLARS
from index.ingest.clean.sums import Mention, Rate, mentions

_BUDGET = re.compile(
    r"total (?:programme |program |available )?(?:budget|funding|funds|pot)|overall budget"
    r"|gesamtbudget|總經費|總預算|총예산",
    re.IGNORECASE,
)
_PERIODS: dict[Rate, Period] = {"month": "month", "year": "year", "once": "once"}


@dataclass(frozen=True, slots=True)
class Money:
    """An amount, and what about it could not be said for certain ("" when all could)."""

    amount: Amount | None
    doubt: str = ""


@lru_cache(maxsize=4096)
def read_money(text: str, currency: str | None = None, dot_groups: bool | None = None) -> Money:
    """What `text` says an award pays. `currency` is what an unmarked or ambiguous sum is in, when that is known."""
    kept = Amount(text=text)
    if _BUDGET.search(text):
        return Money(kept, "a budget of a whole programme")
    told = [
        mention for mention in mentions(text, dot_groups) if mention.role != "aside" and mention.high != 0
    ]
    chosen = _chosen(told)
    if not chosen:
        return Money(kept)
    stated = _currency(chosen, currency)
    if stated is None:
        return Money(kept, "sums in several currencies")
    code = None if stated == AMBIGUOUS else stated
    only = Amount(currency=code, text=text)
    if any(mention.low is None for mention in chosen):
        return Money(only, "a number that can be read in two ways")
    rates = {mention.rate for mention in chosen}
    totals = {mention.rate for mention in told if mention.role == "total"} - {None}
    if len(rates) > 1 or (totals and totals != rates):
        return Money(only, "sums for different periods")
    low, high = _bounds(chosen)
    if low is not None and high is not None and low > high:
        return Money(only, "a lower bound above the upper one")
    rate = rates.pop()
    return Money(Amount(low, high, code, _PERIODS.get(rate) if rate else None, text))


def single_sum(text: str) -> bool:
    """Whether running text names exactly one sum, with its currency mark: then it is what the award pays."""
    told = [mention for mention in mentions(text) if mention.currency is not None]
    return len({(mention.low, mention.high, mention.currency) for mention in told}) == 1 and all(
        mention.role == "main" for mention in told
    )


def _chosen(told: list[Mention]) -> list[Mention]:
    """The sums that say what one award pays: not the conversions, totals and supplements beside them."""
    main = [mention for mention in told if mention.role == "main"]
    if not main:
        rest = [mention for mention in told if mention.role in {"approximate", "extra"}]
        return rest if len({(mention.low, mention.high) for mention in rest}) == 1 else []
    first = main[0]
    if first.rate is None:
        return main
    # Beside a rate per month or year a later sum without one is something else, unless it goes on from the first.
    return [mention for mention in main if mention is first or mention.rate is not None or mention.joined]


def _currency(chosen: list[Mention], known: str | None) -> str | None:
    """The one currency of the sums, `AMBIGUOUS` when it is not said, None when there are several."""
    marks = {mention.currency for mention in chosen}
    certain = marks - {AMBIGUOUS, DOLLAR, None}
    if len(certain) > 1:
        return None
    if certain:
        (code,) = certain
        doubtful = AMBIGUOUS in marks or (DOLLAR in marks and code not in DOLLARS)
        return None if doubtful else code
    return known or AMBIGUOUS


def _bounds(chosen: list[Mention]) -> tuple[float | None, float | None]:
    lows = [mention.low for mention in chosen if not mention.upper and mention.low is not None]
    highs = [mention.high for mention in chosen if not mention.lower and mention.high is not None]
    return min(lows, default=None), max(highs, default=None)
