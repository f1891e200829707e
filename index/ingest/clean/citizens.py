"""Nationalities that a rule asks for. Residence, region, heritage and "or permanent resident" are not nationalities."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from index.countries import ANY
from index.ingest.clean.demonyms import adjectives, after_nationality
from index.ingest.clean.places import names
from index.ingest.clean.sieve import holds_any
from index.ingest.clean.territories import regions_of_citizens

_OPEN = re.compile(
    r"\b(?:any|all) nationalit(?:y|ies)\b|regardless of (?:their )?nationality|alle nationalitäten"
    r"|cualquier nacionalidad"
    r"|不限(?:定)?(?:中華民國)?國籍|国籍不限|國籍不限|不限国籍|국적\s?(?:무관|제한\s?없)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not?|non|nor|neither|except(?:ion)?|excluding|other than|outside|unless|dual|cannot"
    r"|nicht|keine?|außer|sin|excepto|inte|ej)\b"
    r"|非|不|以外|除|이외|제외",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:or|eller|oder|o|y otr\w+|and)\s[^.;\n]{0,25}\b(?:permanent|landed|resident\w*|residen\w+"
    r"|protected|other nationalit\w+|international|ha bott"
    r"|immigrant|refugee\w*)|permanent resident|또는\s?영주|或[^。;]{0,6}(?:永久|居留)",
    re.IGNORECASE,
)
# One of them, or "national", stands in every text that the rules of this file find anything in.
_SIGNS = ("citizen", "nationalit", "nacional", "ciudadan", "staatsangehörig", "staatsbürger", "medborgar",
          "passport holder", "bürger", "ressortissant", "국적", "국민", "시민", "國籍", "国籍",
          "公民", "籍")  # fmt: skip
# A full stop inside "U.S." ends no clause.
_CLAUSE = re.compile(r"[;\n]|\.\s|(?<=[a-z]{3})\.")
_UNAVAILABLE = re.compile(
    r"^\s?(?:불가|아닌|이 아닌)|^[^.;\n]{0,20}\b(?:not eligible|excluded|cannot)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Citizens:
    """Codes, or ("any",), None when none is stated; and codes of regions.

    doubt: why a rule that names some was not taken. text: the words of the rule, where they are known.
    """

    codes: tuple[str, ...] | None
    doubt: str = ""
    regions: tuple[str, ...] = ()
    text: str | None = None


def read_citizens(text: str) -> Citizens:
    """The nationalities that `text` asks for, only when it names each of them and leaves no other way in."""
    if not _worth_reading(text.lower()):
        return Citizens(None)
    if _OPEN.search(text):
        return Citizens((ANY,))
    found: dict[str, None] = {}
    wide: dict[str, None] = {}
    words: list[str] = []
    open_question = Citizens(None)
    for said in map(str.strip, _CLAUSE.split(text)):
        # In small letters, for a pattern of so many names is several times slower when it has to mind the case.
        clause = said.lower()
        if not _worth_reading(clause):
            continue
        named, doubt = _named(clause)
        broad = regions_of_citizens(clause)
        if doubt or (named and broad.doubt):
            return Citizens(None, doubt or broad.doubt, text=said)
        if broad.doubt:
            open_question = Citizens(None, broad.doubt, text=said)
        found |= dict.fromkeys(named)
        wide |= dict.fromkeys(broad.codes)
        words += [said] * bool(broad.codes)
    if open_question.doubt:
        return replace(open_question, codes=tuple(found) or None)
    return Citizens(tuple(found) or None, "", tuple(wide), "; ".join(words) or None)


def _named(clause: str) -> tuple[list[str], str]:
    """The countries whose citizens a clause asks for, or why they cannot be taken."""
    found: list[str] = []
    for match in _pattern().finditer(clause):
        before, after = clause[max(0, match.start() - 40) : match.start()], clause[match.end() :][:80]
        if _NOT.search(before) or _UNAVAILABLE.search(after):
            return [], "nationalities that are left out"
        if _OTHERWISE.search(after):
            return [], "a nationality or another way in"
        found += [_code(word) for word in _words().findall(match[0])]
    return found, ""


def _worth_reading(low: str) -> bool:
    return holds_any(low, _SIGNS) or ("national" in low and "national" in low.replace("international", ""))


def _code(word: str) -> str:
    word = re.sub(r"(?<=sch)e[nmrs]?$", "", word)
    return names().get(word) or adjectives().get(word) or after_nationality()[word]


@lru_cache(maxsize=1)
def _alternatives() -> tuple[str, str, str]:
    """Patterns of: an adjective, a country's name, a country's name in a script without spaces."""
    by_length = sorted(adjectives(), key=len, reverse=True)
    adjective = "|".join(
        re.escape(word) + ("(?:e[nmrs]?)?" if word.endswith("sch") else "") for word in by_length
    )
    ordered = sorted(names(), key=len, reverse=True)
    spaced = "|".join(re.escape(name) for name in ordered if name[0] < "\u0e00")
    joined = "|".join(re.escape(name) for name in ordered if name[0] >= "\u0e00")
    return rf"(?<!\w)(?:{adjective})(?!\w)", rf"(?<!\w)(?:the )?(?:{spaced})(?!\w)", rf"(?:{joined})"


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    adjective, country, joined = _alternatives()
    also = "|".join(after_nationality())
    between = r"(?:\s?[,/]\s?|,? (?:and|or|y|e|o|und|oder|och|eller) )"
    adjectives_in_a_row = rf"{adjective}(?:{between}{adjective})*"
    countries_in_a_row = rf"{country}(?:{between}{country})*"
    return re.compile(
        rf"{adjectives_in_a_row} (?:citizens?(?:hip)?|nationals?|nationality|staatsangehörig\w*"
        rf"|staatsbürger\w*|medborgare)\b"
        rf"|\b(?:citizens?(?:hip)?|nationals?"
        rf"|nationality)(?: and (?:permanent )?residents?)? of:? {countries_in_a_row}"
        rf"|\b(?:nacional(?:es)?|ciudadan[oa]s?|nacionalidad) de {countries_in_a_row}"
        rf"|\bnacionalidad (?:{adjective}|{also})(?!\w)"
        rf"|{joined}\s?(?:국적|國籍|国籍|公民)"
    )


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    adjective, country, joined = _alternatives()
    also = "|".join(after_nationality())
    return re.compile(
        rf"{adjective}|{country.replace('(?:the )?', '')}|{joined}|(?<=nacionalidad )(?:{also})"
    )
