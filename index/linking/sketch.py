"""What of a record tells which programme it is, made ready for comparing."""

from __future__ import annotations

from dataclasses import dataclass

from index.document import Amount, Document

from .address import Address, address
from .known import known
from .name import Name, names, terms

_SUBTITLE = 100
"""A description of at most so many characters is no text but the second half of a name."""
Sum = tuple[float | None, float | None, str | None]


@dataclass(frozen=True, slots=True)
class Sketch:
    """One record for comparing.

    names: its title first, then its other names. subtitle: terms of a very short description, as calls under one
    heading have it. giver: terms of the provider. known: the well-known programme whose
    name the title is. sum: least, most and currency. days: deadlines, and days of a year. programme: the id it states.
    """

    doc_id: str
    names: tuple[Name, ...]
    source: str
    subtitle: frozenset[str]
    giver: frozenset[str]
    known: str | None
    address: Address | None
    hosts: frozenset[str]
    sum: Sum | None
    days: frozenset[str]
    programme: str | None


def sketch(document: Document) -> Sketch:
    """The sketch of a record."""
    language = document.language
    titles = (document.title, *document.aliases, *(told.title for told in document.translations.values()))
    found = tuple(dict.fromkeys(name for title in titles for name in names(title, language)))
    return Sketch(
        doc_id=document.doc_id,
        names=found,
        source=document.source or "",
        subtitle=frozenset(_subtitle(document)),
        giver=frozenset(terms(document.provider or "", language)),
        known=known().programme(found[0]),
        address=address(document.url),
        hosts=frozenset(document.host_countries or ()),
        sum=_sum(document.amount),
        days=frozenset(
            str(day) for window in document.windows for day in (window.deadline_on, window.month_day) if day
        ),
        programme=document.programme_id,
    )


def _subtitle(document: Document) -> list[str]:
    text = document.description or ""
    return terms(text, document.language) if len(text) <= _SUBTITLE else []


def _sum(amount: Amount | None) -> Sum | None:
    if amount is None or (amount.min is None and amount.max is None):
        return None
    return (amount.min, amount.max, amount.currency)
