"""Countries named in a text, in the languages of the gazetteer, and where one studies as columns and titles say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from index.countries import COUNTRIES
from index.gazetteer import LOCALES, country_names
from index.ingest.clean.demonyms import adjectives
from index.ingest.clean.sieve import holds_any

_MORE = {
    "usa": "US", "u.s.a.": "US", "u.s.": "US", "united states of america": "US", "the us": "US", "america": "US",
    "uk": "GB", "u.k.": "GB", "great britain": "GB", "england": "GB", "scotland": "GB", "wales": "GB",
    "northern ireland": "GB", "republic of ireland": "IE", "hong kong": "HK", "hong-kong": "HK", "macau": "MO",
    "czech republic": "CZ", "czechia": "CZ", "turkey": "TR", "türkiye": "TR", "russia": "RU", "holland": "NL",
    "south korea": "KR", "republic of korea": "KR", "korea": "KR", "north korea": "KP", "taiwan": "TW", "vietnam": "VN",
    "east timor": "TL", "ivory coast": "CI", "uae": "AE", "burma": "MM", "myanmar": "MM", "palestine": "PS",
    "中華民國": "TW", "中华民国": "TW", "本國": "TW", "대한민국": "KR", "한국": "KR", "日本": "JP",
    "美國": "US", "英國": "GB",
    "vr china": "CN", "p.r. china": "CN", "pr china": "CN", "mainland china": "CN", "kosovo": "XK",
}  # fmt: skip
# Longer names that hold the name of a country and mean another place.
_ELSEWHERE = ("new mexico", "new jersey", "new south wales", "gulf of mexico", "south china sea",
              "indian ocean", "georgia tech", "jersey city", "lebanon valley")  # fmt: skip
_PREPOSITION = {"w", "we", "na"}
# One of them stands in every text in which a rule about where one studies finds anything.
_STUDY = ("enrol", "study", "aufenthalt", "um in")
_CAMPUS = ("hochschule", "universität")
_ENDING = re.compile(r"(?:ii|ji|ech|ach|ie|i|y|u)$")


@lru_cache(maxsize=1)
def names() -> Mapping[str, str]:
    """Name of a country in small letters → code, over all languages; a name that two countries share is left out."""
    found: dict[str, str] = {}
    shared: set[str] = set()
    for locale in LOCALES:
        for code, name in country_names(locale).items():
            plain = name.casefold()
            if (
                code not in COUNTRIES
                or (plain.isascii() and len(plain) < 4)
                or (len(plain) < 4 and plain[0] < "\u2e80")
            ):
                continue
            if found.setdefault(plain, code) != code:
                shared.add(plain)
    return MappingProxyType({name: code for name, code in (found | _MORE).items() if name not in shared})


@lru_cache(maxsize=4096)
def find_countries(text: str) -> tuple[str, ...]:
    """The codes of the countries that `text` names, in its order, without repeats."""
    plain = text.casefold()
    for phrase in _ELSEWHERE:
        plain = plain.replace(phrase, " ")
    found = tuple(dict.fromkeys(names()[match[0]] for match in _pattern().finditer(plain)))
    # The state, not the country, when it stands beside the United States.
    return tuple(code for code in found if code != "GE") if "US" in found else found


@lru_cache(maxsize=4096)
def host_countries(text: str) -> tuple[str, ...] | None:
    """The countries of a location column ("Montreal, Canada", "Anywhere in Australia"); None when it names none."""
    parts = [part for part in re.split(r"[,;/|、]|\s-\s", text) if part.strip()]
    read = [find_countries(part) or _by_adjective(part) for part in parts]
    if all(read):
        found = dict.fromkeys(code for codes in read for code in codes)
        if "US" in found:
            found.pop("GE", None)
        return tuple(found) or None
    last = next((codes for codes in reversed(read) if codes), ())
    return last or None


@lru_cache(maxsize=1024)
def country_codes(text: str) -> tuple[str, ...]:
    """The countries of a cell that holds nothing but their codes ("DE", "DE, FR"); none otherwise."""
    parts = [part for part in re.split(r"[\s,;/|]+", text.strip()) if part]
    return tuple(dict.fromkeys(parts)) if all(part in COUNTRIES for part in parts) else ()


def host_in_title(title: str) -> tuple[str, ...] | None:
    """The country at the end of a title ("PhD in Physics, Ghent, Belgium", "… in Japan", "… w Australii")."""
    if "," in title and (found := find_countries(title.rsplit(",", 1)[1])):
        return found if len(found) == 1 else None
    if match := re.search(r"\bin (?:the )?([^,.;:()]{3,30})$", title):
        tail = match[1].casefold().strip()
        if tail in names():
            return (names()[tail],)
    return _after_preposition(title)


def host_in_prose(text: str) -> tuple[str, ...] | None:
    """The country where one studies, when a sentence says just that ("enrolled in graduate schools in Japan")."""
    low, found = text.lower(), set()
    if holds_any(low, _STUDY):
        found |= {code for match in _studied().finditer(text) for code in find_countries(match[1])}
    if holds_any(low, _CAMPUS):
        found |= {code for match in _studied_at().finditer(text) for code in _by_adjective(match[1])}
    return (found.pop(),) if len(found) == 1 else None


def _after_preposition(title: str) -> tuple[str, ...] | None:
    """A Polish country after "w": its ending says where, its stem says which."""
    words = title.split()
    for before, word in pairwise(words):
        if before not in _PREPOSITION or not word[:1].isupper():
            continue
        plain = word.casefold().strip(".,;:()")
        if plain in names():
            return (names()[plain],)
        stem = _ENDING.sub("", plain)
        if len(stem) >= 4 and (code := _polish().get(stem)):
            return (code,)
    return None


@lru_cache(maxsize=1)
def _polish() -> Mapping[str, str]:
    return MappingProxyType(
        {
            re.sub(r"(?:ia|ja|ea|a|y)$", "", name.casefold()): code
            for code, name in country_names("pl").items()
        }
    )


def _by_adjective(text: str) -> tuple[str, ...]:
    words = (re.sub(r"(?<=sch)e[nmrs]?$", "", word) for word in re.findall(r"[^\W\d_]+", text.casefold()))
    return tuple(dict.fromkeys(code for word in words if (code := adjectives().get(word))))


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    spaced = [name for name in names() if name[0] < "\u0e00"]
    joined = [name for name in names() if name[0] >= "\u0e00"]
    one = "|".join(re.escape(name) for name in sorted(spaced, key=len, reverse=True))
    two = "|".join(re.escape(name) for name in sorted(joined, key=len, reverse=True))
    return re.compile(rf"(?<![\w])(?:{one})(?![\w])|(?:{two})")


@lru_cache(maxsize=1)
def _studied() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:enrol\w*|stud(?:y|ying))[^.;\n]{0,40}\b(?:schools?|universit(?:y|ies)"
        r"|colleges?)(?: located)? in"
        r"|(?:[Pp]romotions|[Ss]tudien|[Ff]orschungs)aufenthalt\w* in|um in)\s((?:the \w+ (?:area"
        r"|region) of )?[A-ZÀ-Þ][^.,;:()\n]{2,30})"
    )


@lru_cache(maxsize=1)
def _studied_at() -> re.Pattern[str]:
    return re.compile(
        r"(?:zur promotion|promov\w+|studi\w+)\san einer (\w+en) (?:hochschule|universität)", re.IGNORECASE
    )
