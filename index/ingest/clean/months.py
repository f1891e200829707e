"""Names of months in the languages of our sources, from CLDR, and the few spellings that CLDR lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

_LOCALES = ("en", "de", "es", "fr", "it", "pt", "nl", "sv", "pl", "tr", "id", "th")
_MORE = {"sept": 9, "setiembre": 9, "decemeber": 12, "febuary": 2, "octubre": 10}


@lru_cache(maxsize=1)
def months() -> Mapping[str, int]:
    """Name of a month, casefolded and without a final full stop → 1 to 12. A name that two months share is left out."""
    from babel import Locale

    found: dict[str, int] = {}
    shared: set[str] = set()
    for name in _LOCALES:
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for at, month in Locale.parse(name).months[context][width].items():
                    word = month.casefold().rstrip(".")
                    if word.isdigit():
                        continue
                    if found.setdefault(word, at) != at:
                        shared.add(word)
    return MappingProxyType({word: at for word, at in (found | _MORE).items() if word not in shared})


@lru_cache(maxsize=1)
def month_pattern() -> str:
    """A pattern that finds the name of a month, the longest first."""
    return "|".join(re.escape(word) for word in sorted(months(), key=len, reverse=True))
