"""Currency marks: which of them name one currency for certain, and which could be several."""

from __future__ import annotations

import re
from functools import lru_cache

AMBIGUOUS = "?"
"""A mark that several currencies share ("kr", "元"): a sum of money, in a currency that is not known."""
DOLLAR = "?$"
"""As `AMBIGUOUS`, but some dollar."""
DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD"})

_SIGNS = {
    "US$": "USD", "USD$": "USD", "$US": "USD", "U.S.$": "USD", "NZ$": "NZD", "NZ $": "NZD", "$NZ": "NZD",
    "AU$": "AUD", "A$": "AUD", "AUS $": "AUD", "AUS$": "AUD", "$AU": "AUD", "CA$": "CAD", "C$": "CAD", "CAN$": "CAD",
    "CDN$": "CAD", "HK$": "HKD", "S$": "SGD", "SG$": "SGD", "NT$": "TWD", "NTD$": "TWD", "R$": "BRL", "RM": "MYR",
    "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "฿": "THB", "₫": "VND", "₱": "PHP",
    "₦": "NGN", "₪": "ILS", "$": DOLLAR, "¥": AMBIGUOUS,
}  # fmt: skip
_WORDS = {
    "euros": "EUR", "euro": "EUR", "pounds": AMBIGUOUS, "yen": "JPY", "bahts": "THB", "baht": "THB", "บาท": "THB",
    "hk dollars": "HKD", "hk dollar": "HKD", "us dollars": "USD", "us dollar": "USD", "dollars": DOLLAR,
    "dollar": DOLLAR, "canadian dollars": "CAD", "australian dollars": "AUD", "zł": "PLN", "złotych": "PLN",
    "ntd": "TWD", "rmb": "CNY", "rur": "RUB", "rupees": AMBIGUOUS, "rs.": AMBIGUOUS, "rs": AMBIGUOUS,
    "kronor": AMBIGUOUS, "kr": AMBIGUOUS, "원": "KRW", "円": "JPY", "日元": "JPY", "日圓": "JPY", "美元": "USD",
    "美金": "USD", "歐元": "EUR", "欧元": "EUR", "英鎊": "GBP", "英镑": "GBP", "港幣": "HKD", "港元": "HKD",
    "人民幣": "CNY", "人民币": "CNY", "新臺幣": "TWD", "新台幣": "TWD", "台幣": "TWD", "臺幣": "TWD",
    "元": AMBIGUOUS, "圓": AMBIGUOUS, "soles": "PEN", "위안": "CNY", "달러": "USD", "유로": "EUR", "엔": "JPY",
}  # fmt: skip
# Never before the number they belong to: the end of "지원" is no mark of what follows.
_AFTER_ONLY = frozenset({"원", "元", "圓", "円", "บาท", "zł", "위안", "달러", "유로", "엔"})
_SIGN_AFTER_CODE = re.compile(r"^([A-Z]{3})\s?\(?[$€£¥]\)?$")
# Codes that are also words or abbreviations of something else.
_NO_CODES = frozenset(
    {"ALL", "TOP", "TRY", "MOP", "SOS", "BAM", "CUP", "GEL", "LAK", "MAD", "PEN", "STD", "COP", "DOP"}
)


@lru_cache(maxsize=1)
def codes() -> frozenset[str]:
    """The ISO 4217 codes in use, from CLDR: what some territory pays with today."""
    from babel.core import get_global

    in_use = (entry for entries in get_global("territory_currencies").values() for entry in entries)
    return frozenset(code for code, _start, end, tender in in_use if end is None and tender)


@lru_cache(maxsize=2)
def mark_pattern(before: bool) -> str:
    """A pattern that finds any currency mark, the longest first; `before` a number or after it."""
    signs = "|".join(_bounded(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
    latin = [word for word in _WORDS if word.isascii()]
    words = "|".join(re.escape(word) for word in sorted(latin, key=len, reverse=True))
    rest = set(_WORDS) - set(latin) - (_AFTER_ONLY if before else set())
    other = "|".join(re.escape(word) for word in sorted(rest, key=len, reverse=True))
    iso = "|".join(sorted(codes() - _NO_CODES))
    # A small letter must not follow; a capital may ("861 EuroKranken", where a list lost its line breaks).
    return (
        rf"(?:(?<![A-Za-z])(?:{iso})(?:\s?\(?[$€£¥]\)?)?(?![A-Za-z])|{signs}"
        rf"|(?<![A-Za-z])(?i:{words})(?![a-z])|(?:{other}))"
    )


def _bounded(sign: str) -> str:
    before = r"(?<![A-Za-z])" if sign[0].isalpha() else ""
    after = r"(?![A-Za-z])" if sign[-1].isalpha() else ""
    return before + re.escape(sign) + after


def currency_of(mark: str) -> str | None:
    """The ISO 4217 code of a mark, `AMBIGUOUS` or `DOLLAR` when it could be several, None when it is no mark."""
    mark = _SIGN_AFTER_CODE.sub(r"\1", " ".join(mark.split()))
    if mark.upper() in codes():
        return mark.upper()
    return _SIGNS.get(mark) or _SIGNS.get(mark.upper()) or _WORDS.get(mark.casefold())
