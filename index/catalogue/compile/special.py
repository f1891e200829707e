"""What is particular to one source: its dirt, its structured lines, its silent defaults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from . import days, money, names, signals, structured
from .facts import Facts, Round

Row = Mapping[str, Any]


def adjust(source: str, row: Row, facts: Facts) -> Facts:
    """The facts with the source's own rules applied."""
    rule = _RULES.get(source)
    return rule(row, facts) if rule else facts


def _with(facts: Facts, notes: structured.Notes, **changes: Any) -> Facts:
    return replace(facts, notes=facts.notes + tuple(notes), **changes)


def _mastersportal(row: Row, facts: Facts) -> Facts:
    """Both exports carry the portal's own number; the list basis is a word, not prose."""
    basis = (row["description"] or "").split(";")[0].strip()
    traits = set(facts.traits)
    if basis == "Merit-based":
        traits.add("merit")
    elif basis == "Need-based":
        traits.add("need")
    notes: structured.Notes = []
    held = re.search(r"Study experience required: (Bachelor|Master|High ?School)", row["eligibility"] or "")
    if held and not facts.levels and held[1] != "HighSchool":
        notes.append(("degree_held", held[1].lower()))
    facts = _with(facts, notes, traits=tuple(sorted(traits)), programme_key=f"studyportals:{facts.source_id}")
    if facts.source == "mastersportal_hai":
        facts = replace(facts, nationalities=())
    return facts


def _intl(row: Row, facts: Facts) -> Facts:
    """"Any nationality" is this site's default, so it counts only where the text does not speak of citizens."""
    prose = f"{row['description'] or ''} {row['eligibility'] or ''}"
    open_to_all = re.search(r"international students|any (?:nationality|country)|all (?:nationalities|countries)|world-?wide", prose, re.I)
    bound = re.search(r"citizen|national(?!ly)|resident|\b(?:german|american|canadian|african|indian|chinese|british) (?:scholar|student)", prose, re.I)
    nationalities = facts.nationalities
    if nationalities == ("any",) and bound and not open_to_all:
        nationalities = ()
    hosts = tuple(code for code in facts.hosts if code not in ("UM",))
    return replace(facts, nationalities=nationalities, hosts=hosts if len(hosts) <= 8 else ())


def _ufv(row: Row, facts: Facts) -> Facts:
    """One row a window: the award's code is the programme. Sums over 20,000 are whole budgets."""
    cash = facts.money
    if cash and (cash.high or 0) > 20_000:
        cash = None
    code = facts.source_id.split(":")[0]
    kinds = {"Scholarship": "scholarship", "Bursary": "bursary", "Award": "award"}
    first = (row["description"] or "").split("\n")[0].split(" ")[-1]
    kind = facts.kind if facts.kind != "scholarship" else kinds.get(first, "scholarship")
    title = re.sub(r"^aculty", "Faculty", facts.title)
    traits = tuple(tag for tag in facts.traits if tag not in ("teachers", "worker_family", "alumni", "research"))
    return replace(
        facts, title=title, money=cash, kind=kind, traits=traits, source_id=code, programme_key=f"ufv:{code}",
        url="https://www.ufv.ca/fineaid/",
    )  # fmt: skip


def _au(row: Row, facts: Facts) -> Facts:
    """Host Australia is the list's own, except where the award is taken up elsewhere."""
    notes: structured.Notes = []
    return _with(facts, notes, traits=tuple(tag for tag in facts.traits if tag != "research" or "research" in facts.title.lower()))


def _taiwan(row: Row, facts: Facts) -> Facts:
    """Bracketed instructions leave the title; "foundation-award" also gives a short name."""
    notes, department, nationalities = structured.taiwan(row["eligibility"], row["description"], row["title"])
    title = re.sub(r"[【(（\[][^】)）\]]*(?:請|戶籍|設籍|截止|前)[^】)）\]]*[】)）\]]", "", facts.title).strip()
    title = re.sub(r"\s*-{1,2}\s*", "-", title)
    aliases = list(facts.aliases)
    short = re.sub(r"^(?:財團法人|社團法人|公益信託)", "", title).replace("-", "")
    if short != title:
        aliases.append(short)
    codes, any_field = signals.fields([department], "", "") if department else ((), False)
    provider = facts.provider
    if facts.source == "ncu":
        provider = None
        head = re.match(r"^(.{4,40}?(?:基金會|政府|協會|公司|總會|扶輪社))", title)
        if head:
            provider = head[1]
    if facts.source == "ncku" and not codes and not department:
        codes, any_field = signals.fields([], title, "")
        any_field = not codes and "系所條件：不限" in (row["eligibility"] or "")
    traits = set(facts.traits)
    if facts.language == "zh" and "清寒" in title:
        traits.add("need")
    return _with(
        facts, notes, title=title, aliases=tuple(aliases), provider=provider, fields=codes, any_field=any_field,
        traits=tuple(sorted(traits)), nationalities=nationalities or facts.nationalities,
    )  # fmt: skip


def _korea(row: Row, facts: Facts) -> Facts:
    """"key: value" lines and 만원 sums; serial-number deadlines were already turned into dates."""
    notes, majors, nationalities = structured.korea(row["eligibility"], row["description"])
    codes, any_field = signals.fields([majors], facts.title, "") if majors else (facts.fields, facts.any_field)
    if not majors:
        codes, any_field = signals.fields([], facts.title, "")
    return _with(facts, notes, fields=codes, any_field=any_field, nationalities=nationalities or facts.nationalities)


def _india(row: Row, facts: Facts) -> Facts:
    """Sums only as written in rupees; year-end closing days are likely placeholders and stay unconfirmed."""
    notes, level_words = structured.india(row["eligibility"])
    rounds = tuple(_unconfirmed(item) for item in facts.rounds)
    text = row["amount_text"]
    at_home = "IN" in facts.hosts or not facts.hosts
    cash = money.rupees(text) if at_home else None
    gender = structured.lines(row["eligibility"], ":").get("Gender", "")
    traits = set(facts.traits) - {"women"}
    if re.match(r"(?:female|girls)(?: only)?$", gender, re.I):
        traits.add("women")
    if any(key == "income_max" for key, _ in notes):
        traits.add("need")
    traits -= {"research", "essay", "online"}
    nationalities = facts.nationalities or (("IN",) if at_home and facts.hosts else ())
    return _with(
        facts, notes, money=cash, rounds=rounds, traits=tuple(sorted(traits)), nationalities=nationalities,
        levels=facts.levels or structured.india_levels(level_words),
    )  # fmt: skip


def _unconfirmed(item: Round) -> Round:
    day = item.deadline_on
    if item.kind == "fixed" and day and (day.month, day.day) in {(10, 31), (11, 30), (12, 31)}:
        return Round("unknown", cycle=item.cycle, text=f"about {day.day} {days.ENGLISH_MONTHS[day.month - 1]} {day.year}, not confirmed")
    return item


def _cusaathi(row: Row, facts: Facts) -> Facts:
    """The list gives months ("July - September"); the days were filled in by its author and are not used."""
    text = row["deadline_text"] or ""
    rounds = facts.rounds
    months = re.fullmatch(r"([A-Z][a-z]+) - ([A-Z][a-z]+)", text)
    if months:
        rounds = (Round("unknown", text=f"{months[1]} to {months[2]}"),)
    return _with(facts, structured.cusaathi(row["eligibility"]), rounds=rounds, nationalities=("IN",), money=money.rupees(row["amount_text"]))


def _myscheme(row: Row, facts: Facts) -> Facts:
    provider = facts.provider
    if provider is None and facts.title.upper().startswith("AICTE"):
        provider = "All India Council for Technical Education (AICTE)"
    title = names.calmed(re.sub(r"\s*[–-]\s*", " - ", facts.title))
    return replace(facts, title=title, provider=provider, nationalities=("IN",))


def _daad(row: Row, facts: Facts) -> Facts:
    """The database names no host; Germany only where the text says the stay is there."""
    prose = f"{row['title']} {row['description'] or ''}"
    here = re.search(r"in Deutschland|in Germany|deutschen Hochschule|an einer (?:staatlichen[^.]{0,40})?deutschen|German universit", prose)
    away = re.search(r"In-Country|In-Region|Sur-?[Pp]lace|Drittland|South Africa|im Heimatland", row["title"])
    head, sign, tail = facts.title.partition(": ")
    aliases = (*facts.aliases, tail) if sign and len(tail) > 12 else facts.aliases
    rounds = facts.rounds or days.from_text((row["deadline_text"] or "")[:300])
    traits = tuple(tag for tag in facts.traits if tag not in ("women", "merit", "parent", "summer"))
    return replace(facts, hosts=("DE",) if here and not away else (), aliases=aliases, rounds=rounds, traits=traits)


def _icetex(row: Row, facts: Facts) -> Facts:
    """Titles and givers in capitals; a title that names no school is told apart by its giver."""
    title = names.calmed(facts.title, sentence=facts.language == "es" and not re.search(r"\b(?:THE|OF|AND)\b", facts.title))
    provider = names.calmed(facts.provider) if facts.provider else None
    generic = re.search(r"diferentes [aá]reas$|^becas de|^mba|^maestr[ií]as$|^inglés", title, re.I)
    if generic and provider:
        title = f"{title} – {provider}"
    share = row["amount_text"] or ""
    coverage = ("full",) if share.startswith("100%") else ()
    return replace(facts, title=title, provider=provider, coverage=coverage)


def _poland(row: Row, facts: Facts) -> Facts:
    """Target groups are levels; the organiser and address of rows still "waiting" have slipped and are dropped."""
    words = row["eligibility"] or ""
    groups = (("highschool", "uczniowie"), ("bachelor", "studenci"), ("master", "studenci"), ("phd", "doktoranci"))
    levels = tuple(level for level, word in groups if word in words)
    if (row["deadline_text"] or "").startswith("Czekamy"):
        return replace(facts, levels=levels, provider=None, url=None)
    return replace(facts, levels=levels)


def _sweden(row: Row, facts: Facts) -> Facts:
    return replace(facts, nationalities=(), hosts=())


def _thailand(row: Row, facts: Facts) -> Facts:
    return replace(facts, rounds=tuple(item for item in facts.rounds if item.kind != "recurring"))


def _peru(row: Row, facts: Facts) -> Facts:
    return _with(facts, structured.ages(row["eligibility"]), traits=tuple(tag for tag in facts.traits if tag != "women"))


def _portals(row: Row, facts: Facts) -> Facts:
    """Hand-made lists of famous programmes: the text is advice, so only plain facts count."""
    keep = ("international", "refugee", "developing", "africa", "need", "merit", "leadership", "women", "eu", "non_eu")
    traits = tuple(tag for tag in facts.traits if tag in keep and tag in signals.traits(facts.title + "\n" + (row["eligibility"] or "")))
    rounds = facts.rounds if facts.source != "grad_manager" else tuple(item for item in facts.rounds if item.kind == "rolling")
    return replace(facts, traits=traits, rounds=rounds, nationalities=tuple(facts.nationalities))


_RULES: dict[str, Callable[[Row, Facts], Facts]] = {
    "mastersportal_edw": _mastersportal, "mastersportal_hai": _mastersportal, "intlscholarships": _intl,
    "ca_ufv": _ufv, "au_joint": _au, "ncku": _taiwan, "ncu": _taiwan, "kr_thedream": _korea,
    "kr_universities": _korea, "in_indiascholarships": _india, "in_cusaathi": _cusaathi, "in_myscheme": _myscheme,
    "de_daad": _daad, "co_icetex": _icetex, "pl_stypendia": _poland, "svenska_stipendier": _sweden,
    "th_funding": _thailand, "pe_becas": _peru, "achivr": _portals, "grad_manager": _portals,
}  # fmt: skip
