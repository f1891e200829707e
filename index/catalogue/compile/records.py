"""Programmes as records of the public form, with stable ids, and the file they are shipped in."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from index.catalogue.compile import names
from index.catalogue.compile.facts import Facts, Money, Round
from index.catalogue.compile.places import Gazetteer
from index.catalogue.compile.sentences import write
from index.catalogue.compile.sentences.chinese import simplified

SNAPSHOT_AT = "2026-11-30T00:00:00+00:00"
LICENCE = "Apache-2.0"
_ATTRIBUTED = {"open_scholarships", "svenska_stipendier"}
_GENERIC_WORDS = 2


def records(programmes: Sequence[Facts], gazetteer: Gazetteer) -> list[dict[str, Any]]:
    """The records in ascending id."""
    ids = identifiers(programmes)
    made = [_record(identifier, facts, gazetteer) for identifier, facts in zip(ids, programmes, strict=True)]
    return sorted(made, key=lambda record: str(record["id"]))


def identifiers(programmes: Sequence[Facts]) -> list[str]:
    """A stable id for each programme: its own slug, its title, title and provider, or source and number."""
    own = [facts.slug for facts in programmes]
    titles = [names.slug(facts.title) if names.is_latin(facts.title) else "" for facts in programmes]
    counts = Counter(title for title, slug in zip(titles, own, strict=True) if not slug)
    taken = {slug for slug in own if slug}
    found: list[str] = []
    for facts, slug, title in zip(programmes, own, titles, strict=True):
        if slug:
            found.append(slug)
            continue
        fallback = names.slug(f"{facts.source}-{facts.source_id}".replace("_", "-"), 120)
        wanted = [title] if counts[title] == 1 and title.count("-") >= _GENERIC_WORDS else []
        if title and facts.provider and names.is_latin(facts.provider):
            wanted.append(names.slug(f"{title} {facts.provider}", 120))
        elif title:
            wanted.append(title)
        choice = next((name for name in wanted if name and name not in taken), fallback)
        if choice in taken:
            raise ValueError(f"two programmes want the id {choice}")
        taken.add(choice)
        found.append(choice)
    return found


def _record(identifier: str, facts: Facts, gazetteer: Gazetteer) -> dict[str, Any]:
    description, eligibility = write(facts, facts.language, gazetteer)
    credit = sorted(set(facts.sources) & _ATTRIBUTED)
    return {
        "id": identifier,
        "title": facts.title,
        "aliases": list(facts.aliases),
        "provider": facts.provider,
        "description": description,
        "eligibility": eligibility,
        "host_countries": list(facts.hosts) or None,
        "eligible_nationalities": list(facts.nationalities) or None,
        "levels": list(facts.levels) or None,
        "fields": list(facts.fields) or None,
        "amount": _amount(facts.money),
        "coverage": list(facts.coverage) or None,
        "windows": [_window(item) for item in facts.rounds],
        "programme_id": None,
        "language": facts.language.split("-")[0],
        "translations": _translations(facts, gazetteer),
        "url": facts.url,
        "source": "+".join(facts.sources),
        "licence": LICENCE + (f"; facts from {', '.join(credit)} (CC BY 4.0)" if credit else ""),
        "verified_on": None,
        "updated_at": SNAPSHOT_AT,
    }


def _translations(facts: Facts, gazetteer: Gazetteer) -> dict[str, dict[str, str]]:
    """English for records in other languages; Simplified Chinese where the programme has a Chinese name."""
    found = {}
    if facts.language != "en":
        english = next(
            (name for name in facts.aliases if names.is_latin(name) and len(name) > 8), facts.title
        )
        found["en"] = {"title": english, "description": _said(facts, "en", gazetteer)}
    chinese = next((name for name in facts.aliases if names.is_chinese(name)), None)
    if chinese and facts.slug and not facts.language.startswith("zh"):
        found["zh-Hans"] = {"title": simplified(chinese), "description": _said(facts, "zh-Hans", gazetteer)}
    return found


def _said(facts: Facts, language: str, gazetteer: Gazetteer) -> str:
    description, eligibility = write(facts, language, gazetteer)
    space = "" if language.startswith("zh") else " "
    return f"{description}{space}{eligibility}" if eligibility else description


def _amount(money: Money | None) -> dict[str, Any] | None:
    if money is None:
        return None
    return {
        "min": money.low,
        "max": money.high,
        "currency": money.currency,
        "period": money.period,
        "text": None,
    }


def _window(item: Round) -> dict[str, Any]:
    return {
        "opens_on": item.opens_on.isoformat() if item.opens_on else None,
        "deadline_on": item.deadline_on.isoformat() if item.deadline_on else None,
        "month_day": item.month_day,
        "time": None,
        "zone": None,
        "kind": item.kind,
        "cycle": item.cycle,
        "text": item.text,
    }


def save(made: Iterable[dict[str, Any]], path: Path) -> None:
    """Write the records as gzipped JSON lines, byte for byte the same from the same records."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0, compresslevel=9) as packed:
        for record in made:
            packed.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    path.write_bytes(buffer.getvalue())
