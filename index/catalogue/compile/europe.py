"""What is particular to the German, Polish, Swedish and Spanish-language sources."""

from __future__ import annotations

import re
from dataclasses import replace

from index.catalogue.compile import capitals, days, signals, structured
from index.catalogue.compile.facts import Facts, Row, facts_with


def daad(row: Row, facts: Facts) -> Facts:
    """The database names no host; Germany only where the text says the stay is there."""
    prose = f"{row['title']} {row['description'] or ''}"
    here = re.search(
        r"in Deutschland|in Germany|deutschen Hochschule"
        r"|an einer (?:staatlichen[^.]{0,40})?deutschen|German universit",
        prose,
    )
    away = re.search(r"In-Country|In-Region|Sur-?[Pp]lace|Drittland|South Africa|im Heimatland", row["title"])
    head, sign, tail = facts.title.partition(": ")
    provider = facts.provider
    if (
        provider == "DAAD"
        and sign
        and re.search(r"minister|hochschul|stiftung|universit|zentrum|institut|bundes|kommission", head, re.I)
    ):
        provider = head
    elif provider and re.match(r"SPACES|ALECOSTA|climapAfrica|Länderbezogen", provider):
        provider = "DAAD"
    aliases = (*facts.aliases, tail) if sign and len(tail) > 12 else facts.aliases
    rounds = facts.rounds or days.from_text((row["deadline_text"] or "")[:300])
    titled = signals.traits(facts.title, "")
    vague = ("women", "merit", "parent", "summer")
    return replace(
        facts,
        provider=provider,
        hosts=("DE",) if here and not away else (),
        aliases=aliases,
        rounds=rounds,
        traits=tuple(tag for tag in facts.traits if tag not in vague or tag in titled),
        url="https://www.daad.de" if provider == "DAAD" else None,
    )


def poland(row: Row, facts: Facts) -> Facts:
    """Target groups are levels; the organiser and address of rows still "waiting" have slipped and are dropped."""
    words = row["eligibility"] or ""
    groups = (
        ("highschool", "uczniowie"),
        ("bachelor", "studenci"),
        ("master", "studenci"),
        ("phd", "doktoranci"),
    )
    levels = signals.levels(facts.title) or tuple(level for level, word in groups if word in words)
    if (row["deadline_text"] or "").startswith("Czekamy"):
        return replace(facts, levels=levels, provider=None, url=None)
    return replace(facts, levels=levels)


def sweden(row: Row, facts: Facts) -> Facts:
    """A fund bears its own name and gives itself; living in Sweden is a rule of many."""
    head = re.split(r"\s+[–-]\s+", facts.title)[0]
    fund = re.search(r"stiftelse|fond|sällskap|förening|akademi|förbund|bolag|bank", head, re.I)
    resident = re.search(r"(?:bosatta?|folkbokförda?|hemmahörande) i (Sverige)\b", row["description"] or "")
    notes: structured.Notes = [("residence", resident[1])] if resident else []
    return facts_with(
        facts, notes, nationalities=(), hosts=(), provider=facts.provider or (head if fund else None)
    )


def icetex(row: Row, facts: Facts) -> Facts:
    """Titles and givers in capitals; a title that names no school is told apart by its giver."""
    spanish = not re.search(r"\b(?:THE|OF|AND|IN|ON|FOR|COURSE)\b", facts.title)
    title = capitals.calmed(facts.title, sentence=spanish)
    provider = capitals.calmed(facts.provider) if facts.provider else None
    if provider:
        provider = provider.replace("Minis.educ.", "Ministerio de Educación")
    generic = re.search(r"diferentes [aá]reas$|^becas de|^mba|^maestr[ií]as$|^inglés", title, re.I)
    if generic and provider:
        title = f"{title} – {provider}"
    share = row["amount_text"] or ""
    coverage = ("full",) if share.startswith("100%") else ()
    codes, any_field = signals.fields(_flat(row["fields"]), title, "")
    return replace(
        facts, title=title, provider=provider, coverage=coverage, traits=signals.traits(title, ""), fields=codes,
        any_field=any_field or "diferentes" in title.lower(), levels=facts.levels or signals.levels(title),
    )  # fmt: skip


def _flat(fields: list[str] | None) -> list[str]:
    return [field for field in fields or [] if not re.search(r"diferentes", field, re.I)]


def peru(row: Row, facts: Facts) -> Facts:
    """Ages as stated; "women" in its text is praise, not a rule."""
    return facts_with(
        facts,
        structured.ages(row["eligibility"]),
        traits=tuple(tag for tag in facts.traits if tag != "women"),
    )
