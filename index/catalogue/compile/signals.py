"""Facts read out of running text by rules: who it is for, what it pays, which fields and levels.

Only the tag enters the catalogue; the sentence it was found in never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from index.catalogue.compile.tables import rows

_SENTENCE = re.compile(r"(?<=[.!?。；;])\s+|\n+|•|(?<=。)|(?<=；)")
_CUE_BEFORE = re.compile(
    r"(?:\bstud(?:y|ying|ies|ents?)|degrees?|majors?|majoring|fields?|faculty|department|school"
    r"|college|disciplines?|careers?"
    r"|pursuing|enrol\w*|research|interested|programs?|programmes?|courses?|specialis\w+"
    r"|specializ\w+|profession|industry"
    r"|bachelor|master|phd|doctora\w+|scholarships?|\barea|subjects?|graduates?|background"
    r"|experience|領域|系|所|carrera|áreas?|Bereich"
    r"|Fach\w*|Studi\w+|전공|분야|สาขา|หลักสูตร|ด้าน)[^.;]{0,60}$",
    re.I,
)
_CUE_AFTER = re.compile(
    r"^[^.;]{0,25}?(?:\bstud(?:ents?|ies)|majors?|degrees?|programs?|programmes?|fields?"
    r"|disciplines?|careers?|department|faculty"
    r"|profession|industry|research(?:ers?)?|courses?|graduates?|scientists?|系|所|學院|領域|계열"
    r"|학과|전공|과정|wissenschaft)",
    re.I,
)
_LEVELS = (
    ("postdoc", re.compile(r"post-?doc|박사후|博士後|posdoc|doktoranckich po", re.I)),
    (
        "phd",
        re.compile(
            r"\bph\.?\s?d\b|\bdoctora(?:l|te|do)\b|\bdphil\b|博士(?!後)|박사(?!후)|promotion(?:s"
            r"|en\b)|doktorand|doktoranc"
            r"|\bresearch higher degree|\bHDR\b|\bhigher degree by research|tiến sĩ|ปริญญาเอก",
            re.I,
        ),
    ),
    (
        "master",
        re.compile(
            r"\bmaster(?:'?s|’s)?\b(?! card)|\bmsc\b|\bmba\b|\bll\.?m\b|\bmphil\b|\bpostgraduate\b"
            r"|碩士|研究所|研究生|석사|대학원|maestr[ií]a|m[aá]ster\b|posgrado|masterstud|magister"
            r"|thạc sĩ|ปริญญาโท",
            re.I,
        ),
    ),
    (
        "bachelor",
        re.compile(
            r"\bundergrad|\bbachelor|\bfreshm[ae]n\b|\bhonou?rs (?:student|scholar|year|degree)"
            r"|大學部|大學生|大專|學士|학부|대학생"
            r"|pregrado|grado\b|licenciatura|first[- ]year (?:students|undergrad)|đại học hệ|\bUG\b",
            re.I,
        ),
    ),
    (
        "highschool",
        re.compile(
            r"\bhigh school (?:student|scholar|award)|secondary school|고등학생|高中(?!應屆)|uczni"
            r"|bachillerato",
            re.I,
        ),
    ),
    (
        "vocational",
        re.compile(
            r"\bvocational|\bapprentice|\bdiploma (?:student|program)|\bTAFE\b|전문대|五專|técnico\b", re.I
        ),
    ),
)
_GRADUATE = re.compile(
    r"\bgraduate (?:student|school|program|stud|degree|fellow|scholar|research|award)", re.I
)
_HELD_ALREADY = re.compile(
    r"\b(?:hold|holding|holders?|have|having|has|completed|possess|obtain(?:ed)?|earned|received"
    r"|awarded|previously|graduated|equivalent)\b"
    r"|取得|學位者|degree required|Study experience|supervis|faculty member|professor|Abschluss|título de",
    re.I,
)
_NOT_PAID = re.compile(
    r"\bnot (?:be )?(?:cover|includ|pay|provid|directly|intended)|\bexclud|does not|do not"
    r"|no incluye|no cubre|will (?:pay|need to)"
    r"|are responsible|insurance (?:company|ltd)|\btata aia|estimated|not available|notwithstanding"
    r"|nicht übernommen",
    re.I,
)
_PARTLY = re.compile(
    r"(?:full|100 ?%) ?(?:or|and|/|to|,) ?(?:half|partial|part|50)|partial(?:ly)? ?(?:or|to|and"
    r"|/) ?full|up to (?:full|100 ?%)"
    r"|(?:half|partial|50 ?%) (?:or|to|and) (?:full|100)",
    re.I,
)
_BIOGRAPHY = re.compile(
    r"\b(?:he|she|his|him|himself|herself)\b|\bwas (?:an?|the|born|founded)\b|passed away|@",
    re.I,
)
_ANY_FIELD = re.compile(
    r"any (?:field|discipline|subject|major|course|program|degree|area)|all (?:fields|disciplines"
    r"|subjects|areas|majors|programs|faculties)"
    r"|系所條件：不限|unrestricted|multiple disciplines|alle(?:r|n)? (?:Fach|Fächer|Disziplin)"
    r"|todas(?: las áreas)?$|전공 무관|모든 전공|diferentes áreas",
    re.I,
)


@cache
def _compiled(table: str) -> tuple[tuple[str, re.Pattern[str], re.Pattern[str] | None], ...]:
    compiled = []
    for row in rows(table):
        unless = row.get("unless")
        stop = re.compile(unless, re.I) if unless and unless != "xxxx" else None
        compiled.append((row.get("tag") or row["code"], re.compile(row["pattern"], re.I), stop))
    return tuple(compiled)


def sentences(text: str) -> list[str]:
    """The text in sentences and lines."""
    return [part.strip() for part in _SENTENCE.split(text) if part and part.strip()]


def traits(title: str, prose: str) -> tuple[str, ...]:
    """Tags of whom the award is for and what it rewards, sentence by sentence; lives of donors do not count."""
    parts = [title, *(part for part in sentences(prose) if not _BIOGRAPHY.search(part))]
    whole = "\n".join(parts)
    return tuple(
        tag
        for tag, pattern, stop in _compiled("signals")
        if pattern.search(whole)  # cheap: most tags are nowhere in the text
        and any(pattern.search(part) and not (stop and stop.search(part)) for part in parts)
    )


def coverage(text: str) -> tuple[str, ...]:
    """Tags of what is paid, by sentence; what a sentence denies or only might pay does not count."""
    parts = [part for part in sentences(text) if not _NOT_PAID.search(part)]
    whole = "\n".join(parts)
    found = [tag for tag, pattern, _ in _compiled("coverage") if pattern.search(whole)]
    if _PARTLY.search(whole):
        found = [tag for tag in found if tag not in ("full", "tuition")] + ["tuition-part"]
    if "tuition" in found or "full" in found:
        found = [tag for tag in found if tag != "tuition-part"]
    return tuple(sorted(set(found)))


def fields(named: Iterable[str], title: str, prose: str = "") -> tuple[tuple[str, ...], bool]:
    """(ISCED-F codes, open to any field) from named fields, else the title, else what running text says of study."""
    named = [name for name in named if name]
    if len(named) > 14 or any(_ANY_FIELD.search(name) for name in named):
        return (), True
    found = {code for name in named for code, pattern, loose in _fields() if (loose or pattern).search(name)}
    codes = _narrowed(found) or _narrowed({code for code, pattern, _ in _fields() if pattern.search(title)})
    if codes:
        return codes, False
    parts = sentences(prose)
    present = [(code, pattern) for code, pattern, _ in _fields() if pattern.search(prose)]
    codes = _narrowed({code for part in parts for code, pattern in present if _about_study(pattern, part)})
    if 0 < len(codes) <= 4:
        return codes, False
    return (), bool(_ANY_FIELD.search(prose))


def _about_study(pattern: re.Pattern[str], part: str) -> bool:
    """Whether a sentence names the field as something studied, taught or practised."""
    return any(
        _CUE_BEFORE.search(part[max(0, match.start() - 90) : match.start()])
        or _CUE_AFTER.search(part[match.end() : match.end() + 60])
        for match in pattern.finditer(part)
    )


@cache
def _fields() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str] | None], ...]:
    return tuple(
        (
            row["code"],
            re.compile(row["pattern"], re.I),
            re.compile(f"{row['pattern']}|{row['named']}", re.I) if row["named"] else None,
        )
        for row in rows("fields")
    )


def _narrowed(found: set[str]) -> tuple[str, ...]:
    """The most exact codes; broad ones where there would be too many, none where even those are too many."""
    narrow = {code for code in found if not any(other != code and other.startswith(code) for other in found)}
    if len(narrow) > 8:
        narrow = {code[:2] for code in narrow}
    return tuple(sorted(narrow)) if len(narrow) <= 6 else ()


def levels(title: str, prose: str = "") -> tuple[str, ...]:
    """Levels named by the title, else by sentences that do not speak of degrees already held."""
    found = _levels_in(title)
    if not found:
        for part in sentences(prose):
            if not _HELD_ALREADY.search(part) and len(part) < 400:
                found |= _levels_in(part)
    if len(found) > 4:
        return ()
    order = ("highschool", "vocational", "bachelor", "master", "phd", "postdoc", "other")
    return tuple(level for level in order if level in found)


def _levels_in(text: str) -> set[str]:
    found = {level for level, pattern in _LEVELS if pattern.search(text)}
    if _GRADUATE.search(text):
        found |= {"master", "phd"}
    if "postdoc" in found and not re.search(
        r"\bph\.?\s?d|\bdoctoral\b(?! and)|博士(?!後)|박사(?!후)",
        re.sub(r"post-?doctoral", "", text, flags=re.I),
        re.I,
    ):
        found.discard("phd")
    return found
