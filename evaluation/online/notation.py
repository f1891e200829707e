"""How a figure of an experiment is written: shares in per cent, times in ms or s; what is not known is a dash."""

from __future__ import annotations

import re
from datetime import UTC, datetime

NONE = "—"
Span = tuple[float, float]

_SHARES = re.compile(r"ctr@\d+|zero_click|zero_result|refined|applied|error|degraded")
_QUANTILE = re.compile(r"^p[\d.]+ ")
_SCALES = {"share": 100.0, "s": 0.001, "ms": 1.0, "plain": 1.0}
_DIGITS = {"share": 2, "s": 1, "ms": 1, "plain": 4}
_MEANS = {"share": " %", "s": " s", "ms": " ms", "plain": ""}
_DIFFERENCES = {"share": " points", "s": " s", "ms": " ms", "plain": ""}
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def _unit(metric: str) -> str:
    name = _QUANTILE.sub("", metric)
    if _SHARES.fullmatch(name):
        return "share"
    if name == "dwell_ms":
        return "s"
    return "ms" if name.endswith("_ms") else "plain"


def value(metric: str, number: float | None) -> str:
    """A mean with its unit."""
    if number is None:
        return NONE
    unit = _unit(metric)
    return _minus(f"{number * _SCALES[unit]:,.{_DIGITS[unit]}f}") + _MEANS[unit]


def delta(metric: str, number: float | None) -> str:
    """A difference with its sign and unit: "+2.13 points"."""
    return NONE if number is None else signed(metric, number) + _DIFFERENCES[_unit(metric)]


def span(metric: str, ends: Span | None) -> str:
    """Both ends of an interval of differences: "−0.40 to +2.79"."""
    return NONE if ends is None else f"{signed(metric, ends[0])} to {signed(metric, ends[1])}"


def signed(metric: str, number: float) -> str:
    """A difference with its sign alone, in the unit of its metric."""
    unit = _unit(metric)
    text = f"{number * _SCALES[unit]:+,.{_DIGITS[unit]}f}"
    return _minus(text) if re.search("[1-9]", text) else text.lstrip("+-")


def tick(metric: str, number: float) -> str:
    """A difference as short as the label of an axis may be."""
    return _minus(f"{number * _SCALES[_unit(metric)]:+.3g}") if number else "0"


def lift(number: float | None) -> str:
    """A difference as a part of control's mean: "+8.4 %"."""
    return NONE if number is None else _minus(f"{number * 100:+,.1f} %")


def share(number: float | None, digits: int = 1) -> str:
    """A part of a whole, given as 0 to 1."""
    return NONE if number is None else f"{number * 100:.{digits}f} %"


def level(alpha: float) -> str:
    """What an interval promises: 0.05 gives "95 %", 0.025 gives "97.5 %"."""
    return f"{(1 - alpha) * 100:.4g} %"


def probability(number: float | None) -> str:
    """A p value in two digits, however small."""
    return NONE if number is None else _minus(f"{number:.2g}")


def count(number: float | None) -> str:
    """A number of things; a part of one in a tenth."""
    if number is None:
        return NONE
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"


def instant(at: datetime | None) -> str:
    """An instant in UTC, to the minute."""
    if at is None:
        return NONE
    there = at.astimezone(UTC)
    return f"{there.day} {_MONTHS[there.month - 1]} {there.year}, {there:%H:%M} UTC"


def day(at: datetime) -> str:
    """A day without its year."""
    return f"{at.day} {_MONTHS[at.month - 1]}"


def _minus(text: str) -> str:
    return text.replace("-", "−")
