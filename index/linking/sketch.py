"""What of a record tells which programme it is, made ready for comparing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from index.document import Amount, Document

from .address import Address, address
from .known import known
from .name import Name, names, terms

_SUBTITLE = 200
"""A description of at most so many characters that is no sentence is the second half of a name."""
_TEXT = re.compile(r"[;\n]\s*\S.*\n|;|\n\s*\n")
_INITIALS = 3
_GIVERS = 4096  # a feed names the same few givers again and again
_SENTENCE = (".", "。", "…", "!", "?")
Sum = tuple[float | None, float | None, str | None]


@dataclass(frozen=True, slots=True)
class Sketch:
    """One record for comparing.

    names: its title first, then its other names. subtitle: terms of a very short description, as calls under one
    heading have it. giver: terms of the provider; giver_initials: of its words. known: the well-known
    programme whose name the title is. hosts: countries. sum: least, most and currency. days: deadlines, and days of a
    year. programme: the id it states.
    """

    doc_id: str
    names: tuple[Name, ...]
    source: str
    subtitle: frozenset[str]
    giver: frozenset[str]
    giver_initials: str
    known: str | None
    address: Address | None
    hosts: frozenset[str]
    sum: Sum | None
    days: frozenset[str]
    programme: str | None

    def shortened(self, term: str) -> bool:
        """Whether `term` may be the initials of its giver: "nsf"."""
        return len(term) >= _INITIALS and term in self.giver_initials


def sketch(document: Document) -> Sketch:
    """The sketch of a record."""
    language = document.language
    giver, initials = _giver(document.provider, language) if document.provider else (frozenset[str](), "")
    titles = (document.title, *document.aliases, *(told.title for told in document.translations.values()))
    found = tuple(dict.fromkeys(name for title in titles for name in names(title, language)))
    return Sketch(
        doc_id=document.doc_id,
        names=found,
        source=document.source or "",
        subtitle=_subtitle(document),
        giver=giver,
        giver_initials=initials,
        known=known().programme(found[0]),
        address=address(document.url),
        hosts=frozenset(document.host_countries or ()),
        sum=_sum(document.amount),
        days=frozenset(
            str(day) for window in document.windows for day in (window.deadline_on, window.month_day) if day
        ),
        programme=document.programme_id,
    )


@lru_cache(maxsize=_GIVERS)
def _giver(provider: str, language: str | None) -> tuple[frozenset[str], str]:
    """The terms of a provider, and the initials of its words."""
    return frozenset(terms(provider, language)), next(names(provider, language)).initials


def _subtitle(document: Document) -> frozenset[str]:
    text = (document.description or "").strip()
    if not text or len(text) > _SUBTITLE or text.endswith(_SENTENCE) or _TEXT.search(text):
        return frozenset()
    return next(names(text, document.language)).terms


def _sum(amount: Amount | None) -> Sum | None:
    if amount is None or (amount.min is None and amount.max is None):
        return None
    return (amount.min, amount.max, amount.currency)
