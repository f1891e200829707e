"""What a deadline written in words says for certain: nothing, "always open", or days of the year.

The whole text has to be understood. "31 October" is a day of the year; "late October", "October 15 (varies by
programme)" and "10/11" are not, and stay text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

FAR_YEAR = 2040
"""From here on the last or first day of a year is how boards write "always open" (2061-12-31, 2099-01-01)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood.

    rolling: the text says that one may always apply. month_days: the days of the year it names, "--MM-DD".
    """

    rolling: bool = False
    month_days: tuple[str, ...] = ()


_NAMES = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
)
_MONTHS = {name: at for names in _NAMES for at, name in enumerate(names.split(), 1)} | {"sept": 9}
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_ORDINAL = r"(?:st|nd|rd|th)?"
_TERMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<month>{_MONTH})\.?\s*(?P<day>\d{{1,2}}){_ORDINAL}",
        rf"(?P<day>\d{{1,2}})(?:\.|{_ORDINAL})\s*(?:of\s+)?(?P<month>{_MONTH})\.?",
        r"--(?P<month>\d{2})-(?P<day>\d{2})",
        r"(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号號]",
        r"(?P<month>\d{1,2})\s*월\s*(?P<day>\d{1,2})\s*일",
    )
)
_BETWEEN = re.compile(r"\s*(?:[;,/&]|\band\b|\bor\b|\bund\b|\boder\b)\s*")
_YEARLY = re.compile(r"[,\s]*\b(?:annually|yearly|each year|every year|eines(?: jeden)? jahres)$")
_NOTE = re.compile(r"\s*\(([^()]*)\)")
# Remarks that leave the day as certain as it was.
_HARMLESS = frozenset(
    (
        "annual",
        "annually",
        "yearly",
        "recurring",
        "each year",
        "every year",
        "fall",
        "autumn",
        "spring",
        "summer",
        "winter",
        "international",
        "domestic",
    )
)
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_SENTINEL = re.compile(r"(\d{4})-(?:12-31|01-01)")
_ROLLING = re.compile(
    r"""
    (?:(?:applications?\s)?(?:are\s|is\s)?(?:accepted\s)?on\sa\s)?rolling(?:\s(?:basis|admissions?|deadline|applications?))?
    | (?:open\s|applications\sare\saccepted\s)?year[-\s]round(?:\sapplications?)?
    | (?:always\sopen|open\s(?:all\syear|throughout\sthe\syear))
    | (?:ongoing|continu?ous)(?:\s(?:applications?|basis))?
    | no\s(?:fixed\s)?(?:deadline|closing\sdate)
    | (?:applications?\s(?:are\saccepted|(?:can|may)\sbe\s(?:made|submitted))\s)?(?:at\s)?any\s?time
      (?:\sthroughout\sthe\syear)?
    | jederzeit
    | (?:bewerbungen|anträge|ein\santrag)\s(?:sind|ist|kann|können)\sjederzeit\s
      (?:möglich|(?:gestellt|eingereicht|vorgelegt)\swerden)
    | löpande(?:\sansökan)? | stały\snabór | nabór\sciągły
    | (?:convocatoria\s)?permanente | (?:abiert[ao]\s)?todo\sel\saño
    | toute\sl['’]année | en\scontinu | quanh\snăm | (?:เปิดรับ)?ตลอด(?:ทั้ง)?ปี
    | [随隨][时時](?:申[请請])? | 随時 | 通年 | 常年 | [长長]期 | 全年(?:受理|开放|開放)? | 随到随审
    | (?:연중\s?)?상시(?:\s?모집)? | 연중
    """,
    re.VERBOSE,
)


def read_deadline(text: str) -> Reading:
    """What `text` says for certain; an empty `Reading` when that is nothing."""
    plain = _plain(text)
    first_line = _plain(text.strip().split("\n", 1)[0])
    if is_sentinel(plain) or _ROLLING.fullmatch(plain) or _ROLLING.fullmatch(first_line):
        return Reading(rolling=True)
    return Reading(month_days=_month_days(plain))


def is_sentinel(day: str) -> bool:
    """Whether an ISO day is a far first or last day of a year, which is how a feed writes "always"."""
    found = _SENTINEL.fullmatch(day)
    return found is not None and int(found[1]) >= FAR_YEAR


def _plain(text: str) -> str:
    """Case, width and white space made uniform, a final full stop gone."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .。")


def _month_days(plain: str) -> tuple[str, ...]:
    days = _terms(_YEARLY.sub("", _NOTE.sub("", plain)).strip().removeprefix("annually "))
    for note in _NOTE.findall(plain):
        # A remark may repeat the day; one that names another day or a condition makes the first uncertain.
        repeated = _terms(note)
        if note.strip() not in _HARMLESS and not (repeated and set(repeated) <= set(days)):
            return ()
    return days


def _terms(plain: str) -> tuple[str, ...]:
    """The days of a list of days, each "--MM-DD"; () unless every part is one."""
    found = [_term(part) for part in _BETWEEN.split(plain)]
    return tuple(dict.fromkeys(day for day in found if day)) if all(found) else ()


def _term(part: str) -> str | None:
    for pattern in _TERMS:
        if match := pattern.fullmatch(part):
            named = match["month"]
            month = int(named) if named.isdigit() else _MONTHS[named]
            day = int(match["day"])
            valid = 1 <= month <= 12 and 1 <= day <= _LENGTHS[month - 1]
            return f"--{month:02d}-{day:02d}" if valid else None
    return None
