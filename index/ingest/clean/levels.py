"""Levels of study from a level column, from a title, and from the few sentences that say them outright."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import get_args

from index.ingest.clean.sieve import holds_any
from index.types import Level

_ORDER: tuple[str, ...] = get_args(Level)

_POSTDOC = r"post[- ]?doc(?:s|toral|torate)?\b|postdoktorand\w*|pos[t]?doctora\w*|博士後|博士后|박사후"
_PHD = (
    r"(?<!post[- ])\bph\.?\s?d\b\.?s?|(?<!post[- ])(?<!post)\bdoctora(?:l|te)\b|\bdphil\b|doctorado"
    r"|doktorat\w*|doktoran(?:ci|ckie|t\w*)"
    r"|(?<!post)doktorand\w*|promovierende\w*|promotions(?:förderung|stipendi|aufenthalt)\w*"
    r"|博士(?![後后])|박사(?!후)|ปริญญาเอก|ดุษฎีบัณฑิต"
)
_MASTER = (
    r"\bmaster(?:['’]s|s['’]?|arbeit\w*|stud\w*|programme?)?\b(?![- ]?key)|\bm\.?sc\b\.?|\bmba\b"
    r"|\bll\.?m\b|maestr[ií]as?\b|máster(?:es)?\b"
    r"|magistersk\w*|碩士|硕士|碩博|석사|ปริญญาโท|มหาบัณฑิต"
)
_BACHELOR = (
    r"\bundergraduates?\b|\bundergrad\b|\bbachelor(?:['’]?s|stud\w*)?\b|\bb\.?sc\b\.?|\bpregrado\b"
    r"|\blicenciaturas?\b|licencjacki\w*"
    r"|學士|学士|大學部|本科|학사(?!\s?학위)|ปริญญาตรี"
)
_SCHOOL = r"\bhigh[- ]school\b|\bsecondary school\b|高中|고등학생|มัธยมศึกษา"
_PATTERNS = tuple(
    (level, re.compile(pattern, re.IGNORECASE))
    for level, pattern in (
        ("postdoc", _POSTDOC),
        ("phd", _PHD + "|碩博士"),
        ("master", _MASTER),
        ("bachelor", _BACHELOR),
        ("highschool", _SCHOOL),
    )
)
_ITEMS: Mapping[str, str] = {
    "ug": "bachelor",
    "graduation": "bachelor",
    "bachelors": "bachelor",
    "grado": "bachelor",
    "大學": "bachelor",
    "大一": "bachelor",
    "大二": "bachelor",
    "大三": "bachelor",
    "大四": "bachelor",
    "大五": "bachelor",
    "碩": "master",
    "博": "phd",
    "masters": "master",
    "doctorat": "phd",
    "technical": "vocational",
    "vocational": "vocational",
    "técnico": "vocational",
    "técnica": "vocational",
    "diploma/polytechnic": "vocational",
    "iti/itc": "vocational",
    "專科": "vocational",
    "curso corto": "other",
    "intercambio": "other",
    "short course": "other",
    "exchange": "other",
    "other": "other",
    "inni": "other",
    "high school": "highschool",
    "secondary": "highschool",
}
_WORD = (
    r"(?:under-?graduate|bachelor(?:['’]s)?|master(?:['’]s|s)?|ph\.?\s?d\.?|doctoral"
    r"|post[- ]?doctoral|high school|post-?graduate|graduate)"
)
# "undergraduate students", "master's and doctoral candidates", "bachelor's degree program"
_ENGLISH = re.compile(
    rf"(?P<list>{_WORD}(?:(?:,| and| or|/|, and|, or)\s?{_WORD})*)\s(?:degree )?(?:students?"
    rf"|candidates?|program(?:me)?s?)\b"
    r"|(?P<named>(?:Bachelor|Master) of(?: [A-Z]\w+){1,4})(?: degree)? program",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(r"(?<!under)(?<!under-)(?:post-?)?graduate", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:bachelor|master)-?(?:studierende\w*|studiengäng\w*|student\w*)|promovierende\w*"
    r"|doktorand\w*|[석박]사과정"
    r"|(?:นักศึกษาระดับ|นักศึกษา|ชั้น)(?:ปริญญา(?:ตรี|โท|เอก)|มหาบัณฑิต|ดุษฎีบัณฑิต|มัธยมศึกษา)"
    r"|\((?:m\.?sc|b\.?sc|ph\.?d|master|bachelor|mba|doktor)(?:\.?(?:,|/| oder| or| und"
    r"| and)+\s?(?:m\.?sc|b\.?sc|ph\.?d|master|bachelor|mba|doktor))*\.?\)",
    re.IGNORECASE,
)
# One of them stands in every text in which the patterns of a level find anything, and so on below.
_SIGNS = ("postdoc", "post-doc", "post doc", "postdok", "posdoc", "phd", "ph.", "ph d", "ph\n", "dphil", "doctora",
          "doktora", "promovier", "promotions", "博士", "박사", "碩", "硕", "석사", "학사", "學士", "学士", "大學部",
          "本科", "ปริญญา", "ดุษฎี", "บัณฑิต", "มัธยม", "master", "máster", "msc", "m.sc", "mba", "llm", "ll.m", "maestr",
          "magistersk", "undergrad", "bachelor", "bsc", "b.sc", "pregrado", "licenciatura", "licencjacki",
          "high school", "high-school", "high\nschool", "secondary school", "高中", "고등")  # fmt: skip
_WORDS = ("graduate", "bachelor", "master", "phd", "ph.", "ph d", "ph\n", "doctoral", "high school")
_PEOPLE = ("student", "candidate", "program")
_OTHER_SIGNS = ("studier", "studieng", "-student", "bachelorstudent", "masterstudent", "promovierende", "doktorand",
                "사과정", "ปริญญา", "บัณฑิต", "มัธยม", "(m", "(b", "(p", "(d")  # fmt: skip
_HELD = re.compile(
    r"\b(?:hold\w*|complet\w+|obtain\w*|possess\w*|graduated|former|previous|have an?|has an?|or"
    r"|and)\s[^.;,\n]{0,12}$|/\s?$",
    re.IGNORECASE,
)


def read_levels(items: Iterable[str]) -> tuple[str, ...] | None:
    """The levels of a level column; None as soon as one of its items is not decided, for a part would mislead."""
    found: set[str] = set()
    for item in items:
        levels = _item(item)
        if not levels:
            return None
        found.update(levels)
    return in_order(found)


def levels_in_title(title: str) -> tuple[str, ...] | None:
    """The levels that a title names."""
    if not holds_any(title.lower(), _SIGNS):
        return None
    return in_order(level for level, pattern in _PATTERNS if pattern.search(title))


def levels_in_prose(text: str) -> tuple[str, ...] | None:
    """The levels of the students that a rule is for, where it says "… students" or the like."""
    found: set[str] = set()
    low = text.lower()
    english = holds_any(low, _PEOPLE) and holds_any(low, _WORDS)
    for match in _ENGLISH.finditer(text) if english else ():
        words = match["list"] or match["named"]
        if _UNDECIDED.search(words) or _HELD.search(text[max(0, match.start() - 40) : match.start()]):
            continue
        found.update(levels_in_title(words) or ())
    for match in _OTHERS.finditer(text) if holds_any(low, _OTHER_SIGNS) else ():
        found.update(levels_in_title(match[0].replace("doktor", "doktorand")) or ())
    return in_order(found)


def in_order(levels: Iterable[str]) -> tuple[str, ...] | None:
    """Levels without repeats in the order of the contract; None for none."""
    found = set(levels)
    return tuple(level for level in _ORDER if level in found) or None


@lru_cache(maxsize=1024)
def _item(item: str) -> tuple[str, ...]:
    plain = " ".join(item.casefold().split())
    plain = re.sub(r"\s?\((?:ug|pg)\)$", "", plain)
    if plain in _ITEMS:
        return (_ITEMS[plain],)
    if _UNDECIDED.search(plain) or re.search(r"class \d|school \(", plain):
        return ()
    return levels_in_title(plain) or ()
