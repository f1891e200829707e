"""What is particular to the big English-language portals and lists: their dirt and their silent defaults."""

from __future__ import annotations

import re
from dataclasses import replace

from index.catalogue.compile import capitals, signals, structured
from index.catalogue.compile.facts import Facts, Row, facts_with


def mastersportal(row: Row, facts: Facts) -> Facts:
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
    facts = facts_with(
        facts, notes, traits=tuple(sorted(traits)), programme_key=f"studyportals:{facts.source_id}"
    )
    if facts.source == "mastersportal_hai":
        facts = replace(facts, nationalities=())
    return facts


def internationalscholarships(row: Row, facts: Facts) -> Facts:
    """Here "any nationality" is a default, so it counts only where the text does not speak of citizens."""
    prose = f"{row['description'] or ''} {row['eligibility'] or ''}"
    open_to_all = re.search(
        r"international students|any (?:nationality|country)|all (?:nationalities|countries)|world-?wide",
        prose,
        re.I,
    )
    bound = re.search(
        r"citizen|national(?!ly)|resident|\b(?:german|american|canadian|african|indian|chinese"
        r"|british) (?:scholar|student)",
        prose,
        re.I,
    )
    nationalities = facts.nationalities
    if nationalities == ("any",) and bound and not open_to_all:
        nationalities = ()
    hosts = tuple(code for code in facts.hosts if code not in ("UM",))
    title = capitals.calmed(facts.title, keep=capitals.acronyms(f"{prose} {facts.provider or ''}"))
    return replace(facts, title=title, nationalities=nationalities, hosts=hosts if len(hosts) <= 8 else ())


def fraser_valley(row: Row, facts: Facts) -> Facts:
    """One row a window: the award's code is the programme. Large or odd sums are whole budgets."""
    cash = facts.money
    if cash and ((cash.high or 0) > 20_000 or (cash.high or 0) % 5):
        cash = None
    code = facts.source_id.split(":")[0]
    kinds = {"Scholarship": "scholarship", "Bursary": "bursary", "Award": "award"}
    first = (row["description"] or "").split("\n")[0].split(" ")[-1]
    kind = facts.kind if facts.kind != "scholarship" else kinds.get(first, "scholarship")
    title = re.sub(r"^aculty", "Faculty", facts.title)
    traits = tuple(
        tag for tag in facts.traits if tag not in ("teachers", "worker_family", "alumni", "research")
    )
    return replace(
        facts, title=title, money=cash, kind=kind, traits=traits, source_id=code, programme_key=f"ufv:{code}",
        url="https://www.ufv.ca/fineaid/",
    )  # fmt: skip


def australia(row: Row, facts: Facts) -> Facts:
    """Host Australia is the list's own, except where the award is taken up elsewhere."""
    notes: structured.Notes = []
    return facts_with(
        facts,
        notes,
        traits=tuple(tag for tag in facts.traits if tag != "research" or "research" in facts.title.lower()),
    )


def famous_lists(row: Row, facts: Facts) -> Facts:
    """Hand-made lists of famous programmes: the text is advice, so only plain facts count."""
    keep = (
        "international",
        "refugee",
        "developing",
        "africa",
        "need",
        "merit",
        "leadership",
        "women",
        "eu",
        "non_eu",
    )
    traits = tuple(
        tag
        for tag in facts.traits
        if tag in keep and tag in signals.traits(facts.title, row["eligibility"] or "")
    )
    rounds = (
        facts.rounds
        if facts.source != "grad_manager"
        else tuple(item for item in facts.rounds if item.kind == "rolling")
    )
    return replace(facts, traits=traits, rounds=rounds, nationalities=tuple(facts.nationalities))
