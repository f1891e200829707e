"""Numbers as people write them in sums of money: grouping of five kinds, decimals, units of ten thousand, K, lakh."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = (
    r"\d{1,3}(?:[,.'’ ]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
)
_HAN_DIGITS = "一二兩两三四五六七八九十百千"
UNITS = {
    "k": 1_000.0, "thousand": 1_000.0, "million": 1_000_000.0, "mio": 1_000_000.0, "lakh": 100_000.0,
    "lakhs": 100_000.0, "lac": 100_000.0, "crore": 10_000_000.0, "crores": 10_000_000.0, "萬": 10_000.0,
    "万": 10_000.0, "만": 10_000.0, "億": 100_000_000.0, "亿": 100_000_000.0, "억": 100_000_000.0,
    "천만": 10_000_000.0, "백만": 1_000_000.0, "천": 1_000.0,
}  # fmt: skip
UNIT = r"(?:[kK](?![A-Za-z])|(?i:thousand|million|mio|lakhs?|lac|crores?)\b|천만|백만|[萬万만億亿억천])"
NUMBER = (
    rf"(?:(?:{_DIGITS})\s?{UNIT}?(?:(?<=[萬万만])\s?(?:{_DIGITS}))?"
    rf"|[{_HAN_DIGITS}]+[萬万](?:[{_HAN_DIGITS}]+[千百])?)"
)
_PARTS = re.compile(rf"(?P<digits>{_DIGITS})\s?(?P<unit>{UNIT})?(?P<rest>{_DIGITS})?")
_MOST = 1e12
"""No award pays more; a longer run of digits is a number of something else."""
_SINGLE = {**{d: at for at, d in enumerate("一二三四五六七八九", 1)}, "兩": 2, "两": 2}


def read_number(text: str, dot_groups: bool | None = None) -> float | None:
    """The number `text` writes, None when it could be two.

    dot_groups: whether "25.000" is twenty-five thousand; None = not known, and then it is no number at all.
    """
    text = text.strip()
    if text and text[0] in _HAN_DIGITS:
        return _han(text)
    match = _PARTS.fullmatch(text)
    if match is None:
        return None
    value = _plain(match["digits"], dot_groups)
    if value is None:
        return None
    value *= UNITS[match["unit"].lower()] if match["unit"] else 1.0
    if value >= _MOST:
        return None
    if match["rest"]:
        rest = _plain(match["rest"], dot_groups)
        return None if rest is None else value + rest
    return round(value, 2)


def is_grouped(text: str) -> bool:
    """Whether a number is written in groups of thousands, as sums are and years and places are not."""
    return re.search(r"\d[,.'’ ]\d{3}(?!\d)", text) is not None


def _plain(digits: str, dot_groups: bool | None) -> float | None:
    text = re.sub(r"['’ ]", "", digits)
    dot, comma = text.rfind("."), text.rfind(",")
    if dot >= 0 and comma >= 0:
        decimal = "." if dot > comma else ","
        text = text.replace("," if decimal == "." else ".", "").replace(decimal, ".")
        return float(text) if text.count(".") <= 1 else None
    if comma >= 0:
        if re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}", text):
            return float(text.replace(",", ""))
        return float(text.replace(",", ".")) if text.count(",") == 1 else None
    if dot >= 0 and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", text):
        grouped = text.count(".") > 1 or dot_groups
        if grouped is None:
            return None
        return float(text.replace(".", "")) if grouped else float(text)
    return float(text) if text.count(".") <= 1 else None


def _han(text: str) -> float | None:
    """Chinese numerals up to the ten thousands: 十萬 = 100,000, 二十五萬, 三萬五千."""
    head, _, tail = re.sub("万", "萬", text).partition("萬")
    high, low = _below_ten_thousand(head), _below_ten_thousand(tail) if tail else 0
    return None if high is None or low is None else float(high * 10_000 + low)


def _below_ten_thousand(text: str) -> int | None:
    total, digit = 0, 0
    for character in text:
        if character in _SINGLE:
            digit = _SINGLE[character]
            continue
        scale = {"十": 10, "百": 100, "千": 1000}.get(character)
        if scale is None:
            return None
        total += (digit or 1) * scale
        digit = 0
    return total + digit


def decide_dots(values: Iterable[str]) -> bool | None:
    """Whether a column writes "25.000" for twenty-five thousand: often so, and never a comma or a decimal otherwise."""
    dotted, other = 0, 0
    for value in values:
        dotted += len(re.findall(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.,])", value))
        other += len(re.findall(r"\d,\d{3}(?!\d)|\d\.\d{1,2}(?!\d)", value))
    return True if dotted >= 3 and not other else None
