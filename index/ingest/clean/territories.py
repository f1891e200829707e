"""Regions that stand where nationalities or countries could: as whole cells, and in sentences about citizenship."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from index.regions.table import regions, spellings

_ITEMS = re.compile(r"\s*[,;/|、；\n]\s*")
_AND = re.compile(r"\s(?:and|or|und|oder|y|o|et|ou)\s")
# Words around the name of a region that leave it what it is.
_FRAME = re.compile(
    r"^(?:the |any |all |an? |der |die |das |la |el |los |las |le |les |l['’])+"
    r"|\s(?:citizens?|nationals?|students?|applicants?|members?|member states?|countries|country|states|staaten"
    r"|länder)$"
    r"|(?:成员国|成員國|国家|國家|公民|国籍|國籍|회원국|국가|국적)$"
)
_NEITHER = re.compile(
    r"\b(?:not?|non|neither|except|excluding|other than|outside|unless|dual|double|nicht"
    r"|keine?|außer|sin|excepto|hors|sauf)\b"
    r"|非|不|以外|除|이외|제외"
)
# What after the region makes it less, or more, than the rule says.
_BUT = re.compile(
    r"[^.;\n]{0,60}\b(?:permanent|resid\w+|international|refugees?|protected|personen|persons?|personas?|excluding"
    r"|except|other than|ohne|außer|excepto|sauf|as defined|accession|with which|acuerdo)"
    r"|[^.;\n]{0,40}\b(?:or|oder|o|ou) \("
    r"|\s?(?:or|and|oder|und|y|o|ou|et|,|/)\s?(?:\(|\w+ (?:countr|nation)|(?:de )?(?:países|pays|länder))"
)
# What before it shows that the clause says who may apply, and is not about citizens by the way.
_RULE = re.compile(
    r"(?:^\W*|\b(?:be|are|is|have|hold\w*|open (?:only )?to|eligible|only|restricted to|limited to|reserved for"
    r"|available (?:only )?to|support\w*|offered to|(?:applicant|candidate|student|scholar|individual)s?(?: must be)?"
    r"|nationality|citizenship|with|mit|für|deutsche|a|para|pour|être|ser|sein|eine?)\b\W*"
    r"|^\W*(?:for|to) |[:：]\s*|须为|須為|具有|面向)(?:an?|the|all|any|with|or|und|of|:)?\W*$"
)


@dataclass(frozen=True, slots=True)
class Territories:
    """Codes of regions, the words that name them, and why a region that is named was not taken ("" when none is)."""

    codes: tuple[str, ...]
    text: str | None = None
    doubt: str = ""


def listed_regions(text: str) -> Territories:
    """The regions among the items of a cell that lists countries or nationalities."""
    found: dict[str, None] = {}
    for part in _parts(text):
        code = _region(part)
        if code and not regions()[code].members:
            return Territories((), text, _without_members(code))
        if code:
            found[code] = None
    return Territories(tuple(found), text if found else None)


def _parts(text: str) -> Iterator[str]:
    """The items of a list; an "and" inside the name of a region cuts nothing."""
    for item in _ITEMS.split(text):
        if _region(item):
            yield item
        else:
            yield from _AND.split(item)


@lru_cache(maxsize=4096)
def _region(part: str) -> str | None:
    plain = part.lower().strip(' .:()"“”')  # as the spellings are: casefold would part with ß
    while plain:
        for spelling in (plain, f"{plain}."):  # a full stop may belong to it: "E.U."
            if spelling in spellings():
                return spellings()[spelling]
        bare = _FRAME.sub("", plain).strip()
        if bare == plain:
            return None
        plain = bare
    return None


def regions_of_citizens(clause: str) -> Territories:
    """The regions whose citizens a clause, in small letters, asks for; none where it leaves some out."""
    found: dict[str, None] = {}
    for match in _pattern().finditer(clause):
        code = spellings()[next(name for name in match.groups() if name)]
        if code == "commonwealth" and re.match(r"\s?of\b", clause[match.end() :]):
            continue  # of Pennsylvania, of Virginia …
        before = clause[: match.start()]
        if _NEITHER.search(before[-40:]):
            return Territories((), clause.strip(), "a region that is left out")
        if before.count("(") > before.count(")") or (not found and not _RULE.search(before)):
            continue
        if _BUT.match(clause, match.end()):
            return Territories((), clause.strip(), "a region with exceptions or another way in")
        if not regions()[code].members:
            return Territories((), clause.strip(), _without_members(code))
        found[code] = None
    return Territories(tuple(found), clause.strip() if found else None)


def _without_members(code: str) -> str:
    return f"{regions()[code].name} has no agreed list of members"


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    ordered = sorted(spellings(), key=len, reverse=True)
    spaced = "|".join(re.escape(name) for name in ordered if name[0] < "\u2e80")
    joined = "|".join(re.escape(name) for name in ordered if name[0] >= "\u2e80")
    return re.compile(
        rf"(?<!\w)({spaced})(?:[ -](?:member state |country ))?[ -]?"
        rf"(?:citizen(?:s|ship)?|nationals|national(?! (?:and|or)\b)|nationality|passport holders?|bürger\w*"
        rf"|staatsangehörig\w*|staatsbürger\w*)\b"
        rf"|\b(?:citizen(?:s|ship)?|nationals?|nationality|passport holders?)(?: of| from| in)"
        rf"(?: an?| any| one of| all)?(?: the)?(?: member)?(?: states?| countries| country)?(?: of| from| in)?"
        rf"(?: the)? ({spaced})(?![\w-])"
        rf"|\b(?:staatsangehörige[rn]?|staatsbürger\w*|bürger\w*)"
        rf"(?: (?:eine[sr]|aus|von|der|des|in|mitgliedstaat\w*))* "
        rf"({spaced})(?![\w-])"
        rf"|\b(?:ciudadan[oa]s?|nacional(?:es|idad)?)(?: (?:de|del|la|los|las|un|una|país|países|estados?|miembros?))* "
        rf"({spaced})(?![\w-])"
        rf"|\bressortissant\w*(?: (?:d['’]un|des|de|du|la|pays|états?|membres?))* (?:de )?(?:l['’])?({spaced})(?![\w-])"
        rf"|({joined})[”」』]?(?:成员国|成員國|国家|國家|各国|各國)?的?(?:公民|国籍|國籍|籍)"
        rf"|({joined})\s?(?:회원국|국가)?\s?(?:의\s)?(?:국적|국민|시민)"
    )
