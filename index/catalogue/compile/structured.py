"""Facts that a source states as "key: value" lines: income limits, marks, ages, places of residence, departments."""

from __future__ import annotations

import re

Notes = list[tuple[str, str]]

_NOTHING = re.compile(
    r"^(?:no |not |na$|n/a|none|any|all$|all india|varies|as per|multiple|selected|no limit)", re.I
)


def lines(text: str | None, mark: str) -> dict[str, str]:
    """Key -> value of the lines "key<mark>value"; the first of a key counts."""
    found: dict[str, str] = {}
    for line in (text or "").split("\n"):
        name, sign, value = line.partition(mark)
        if sign and len(name) <= 30 and value.strip():
            found.setdefault(name.strip(), value.strip())
    return found


def india(eligibility: str | None) -> tuple[Notes, str]:
    """(notes, level words) of the Indian portal's eligibility lines."""
    stated = lines(eligibility, ":")
    notes: Notes = []
    state = stated.get("State", "")
    if state and not _NOTHING.match(state) and len(state) < 40 and not re.search(r"\d|\[", state):
        notes.append(("residence", state))
    income = re.sub(r"[^\d]", "", stated.get("Family income limit (INR)", "").split(".")[0])
    if income and 10_000 <= int(income) <= 5_000_000:
        notes.append(("income_max", f"INR {int(income):,}"))
    marks = re.fullmatch(r"(\d\d)(?:\.0+)?", stated.get("Minimum marks (%)", ""))
    if marks and 30 <= int(marks[1]) <= 99:
        notes.append(("marks_min", f"{marks[1]}%"))
    category = stated.get("Category", "")
    groups = [part.strip() for part in re.split(r"[,/]", category) if part.strip()]
    if (
        groups
        and len(groups) <= 6
        and not any(re.match(r"general|all|any|ews & gen", group, re.I) for group in groups)
        and all(len(group) <= 20 and not re.search(r"\d|category", group, re.I) for group in groups)
    ):
        notes.append(("categories", ", ".join(groups)))
    age = re.fullmatch(
        r"(?:maximum|max\.?|under|below|up to)?\s*(\d\d)\s*(?:years?)?", stated.get("Age", ""), re.I
    )
    span = re.fullmatch(r"(\d\d)\s*[-–]\s*(\d\d)\s*(?:years?)?", stated.get("Age", ""))
    if span:
        notes.append(("age", f"{span[1]}-{span[2]}"))
    elif age:
        notes.append(("age_max", age[1]))
    return notes, stated.get("Level", "")


def india_levels(words: str) -> tuple[str, ...]:
    """Levels of the portal's own level words (UG, PG, Class 9-12, Post-Matric)."""
    rules = (
        ("highschool", r"class|school|pre-matric|post-matric|\b1[0-2]th|10\+2|matric"),
        ("vocational", r"diploma|\biti\b|polytechnic|vocational|certificate|skill"),
        ("bachelor", r"\bug\b|undergrad|graduation(?! \(pg)|bachelor|b\.?tech|mbbs|\bdegree|post-matric"),
        ("master", r"\bpg\b|post-?\s?grad|master|mba|m\.?tech|m\.?phil"),
        ("phd", r"ph\.?d|doctora|research"),
        ("postdoc", r"post-?doc"),
    )
    return tuple(level for level, pattern in rules if re.search(pattern, words, re.I))


def cusaathi(eligibility: str | None) -> Notes:
    """Notes of the West Bengal list ("minMarks: 55; maxIncome: 250000; …")."""
    text = (eligibility or "").split("\n")[0]
    stated = dict(part.split(":", 1) for part in text.split("; ") if ":" in part)
    notes: Notes = []
    if re.fullmatch(r"\s*\d\d\s*", stated.get("minMarks", "")):
        notes.append(("marks_min", f"{stated['minMarks'].strip()}%"))
    income = stated.get("maxIncome", "").strip()
    if income.isdigit() and int(income) > 0:
        notes.append(("income_max", f"INR {int(income):,}"))
    domicile = stated.get("domicile", "").strip()
    if domicile and domicile not in ("India", "All India"):
        notes.append(("residence", domicile))
    return notes


def taiwan(
    eligibility: str | None, description: str | None, title: str
) -> tuple[Notes, str, tuple[str, ...]]:
    """(notes, department words, nationalities) of the Taiwanese boards."""
    stated = lines(eligibility, "：")
    notes: Notes = []
    nationalities: tuple[str, ...] = ()
    region = stated.get("區域條件", "")
    if re.search(r"中華民國(?:國籍|公民)?$|中華民國國籍", region):
        nationalities = ("TW",)
    place = re.search(r"(?:設籍|戶籍|祖籍)(?:於|在)?\s*([一-鿿]{2,4}?[縣市省])", region) or re.search(
        r"(?:設籍|戶籍|戶籍於)\s*([一-鿿]{2,4}?[縣市])", title
    )
    if place:
        notes.append(("origin" if "祖籍" in region else "residence", place[1].replace("台", "臺")))
    department = stated.get("系所條件", "")
    if department in ("不限", "不限,"):
        department = ""
    places = re.search(r"名額：(?:全國|本校)?(\d{1,4})名", description or "")
    if places and int(places[1]) > 0:
        notes.append(("places", places[1]))
    return notes, department, nationalities


def korea(eligibility: str | None, description: str | None) -> tuple[Notes, str, tuple[str, ...]]:
    """(notes, field words, nationalities) of the Korean lists."""
    stated = lines(eligibility, ":")
    notes: Notes = []
    region = stated.get("region") or ""
    if not region:
        found = re.search(
            r"([가-힣]{2,5}(?:특별자치도|광역시|특별시|[시군구도]))(?:에|민)?\s?(?:에 )?(?:주민등록"
            r"|주소|거주|\d년 이상)",
            eligibility or "",
        )
        region = found[1] if found and found[1] not in ("상시", "필수시", "본인도", "군구") else ""
    if region and len(region) <= 30:
        notes.append(("residence", region))
    if re.fullmatch(r"\d\.\d+", stated.get("gpa_min", "")):
        notes.append(("gpa_min", stated["gpa_min"]))
    bounds = stated.get("age_min", ""), stated.get("age_max", "")
    if all(bound.isdigit() for bound in bounds):
        notes.append(("age", f"{bounds[0]}-{bounds[1]}"))
    elif bounds[1].isdigit():
        notes.append(("age_max", bounds[1]))
    places = re.search(r"선발 인원: (\d{1,4})명$", eligibility or "", re.M)
    if places and int(places[1]):
        notes.append(("places", places[1]))
    citizen = stated.get("nationality", "")
    return notes, stated.get("major", ""), ("KR",) if citizen == "내국인" else ()


def ages(text: str | None) -> Notes:
    """The age range of "Edad: 17–35" lines."""
    span = re.search(r"Edad: (\d\d)[–-](\d\d)", text or "")
    return [("age", f"{span[1]}-{span[2]}")] if span and int(span[2]) < 60 else []
