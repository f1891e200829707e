"""The counts of the data card, taken from the shipped file itself."""

from __future__ import annotations

import gzip
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

_TOP = 45


def shipped(path: Path) -> list[dict[str, Any]]:
    """The records of a catalogue file."""
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        return [json.loads(line) for line in handle]


def scripts(records: Iterable[dict[str, Any]]) -> Counter[str]:
    """How many names (titles and aliases) are written in which script."""
    found: Counter[str] = Counter()
    for record in records:
        for name in (record["title"], *record["aliases"]):
            letters = {unicodedata.name(char, "?").split(" ")[0] for char in name if char.isalpha()}
            for script in letters & {"LATIN", "CJK", "HANGUL", "THAI", "DEVANAGARI"}:
                found[script] += 1
    return found


def _table(title: str, head: str, counts: Iterable[tuple[str, int]]) -> list[str]:
    return [
        f"### {title}",
        "",
        f"| {head} | programmes |",
        "|---|---:|",
        *(f"| {name} | {n:,} |" for name, n in counts),
        "",
    ]


def markdown(records: Sequence[dict[str, Any]]) -> str:
    """The counts as the data card shows them."""
    hosts = Counter(code for record in records for code in record["host_countries"] or ["not stated"])
    languages = Counter(record["language"] for record in records)
    levels = Counter(level for record in records for level in record["levels"] or ["not stated"])
    kinds = Counter(
        kind for record in records for kind in {w["kind"] for w in record["windows"]} or {"no window"}
    )
    sources = Counter(source for record in records for source in record["source"].split("+"))
    facts = {
        "host country": "host_countries", "level": "levels", "field (ISCED-F 2013)": "fields", "amount": "amount",
        "coverage": "coverage", "nationality": "eligible_nationalities", "URL": "url", "provider": "provider",
        "eligibility sentence": "eligibility",
    }  # fmt: skip
    countries = len(hosts) - ("not stated" in hosts)
    lines = [
        f"{len(records):,} programmes, {countries} host countries, {len(languages)} languages, "
        f"{sum(len(record['aliases']) for record in records):,} aliases, "
        f"{sum(len(record['windows']) for record in records):,} application windows.",
        "",
    ]
    lines += _table("By language of the name", "language", languages.most_common())
    lines += _table("Names (titles and aliases) by script", "script", scripts(records).most_common())
    lines += _table("By host country", "country", hosts.most_common(_TOP))
    lines += _table("By level", "level", levels.most_common())
    lines += _table("By kind of window", "kind", kinds.most_common())
    lines += _table("By source", "source", sources.most_common())
    lines += _table(
        "Facts stated", "fact", [(name, sum(bool(r[key]) for r in records)) for name, key in facts.items()]
    )
    return "\n".join(lines).rstrip()
