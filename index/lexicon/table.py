"""The shipped tables as entities.

    concepts.tsv    levels, funding, groups, fields, activities in eight languages; written for this project
    demonyms.tsv    what people and things of a country are called in English
    programmes.tsv  programmes with their acronyms, old names and translations

Country names in other languages come from CLDR. Columns with several values separate them by "|".
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from index.gazetteer import LOCALES, country_names
from index.lexicon.entity import Entity


@lru_cache(maxsize=1)
def entities() -> tuple[Entity, ...]:
    """Every entity of the shipped tables."""
    return (*_countries(), *_concepts(), *_programmes())


def _countries() -> Iterator[Entity]:
    demonyms = {row["country"]: tuple(row["demonyms"].split("|")) for row in _rows("demonyms.tsv")}
    local = {code: set[str]() for code in country_names("en")}
    for locale in LOCALES:
        for code, name in country_names(locale).items():
            local.setdefault(code, set()).add(name)
    for code, name in country_names("en").items():
        english = (name, *demonyms.get(code, ()))
        yield Entity(name, "country", (*english, *sorted(local[code] - {name})), english, code)


def _concepts() -> Iterator[Entity]:
    for row in _rows("concepts.tsv"):
        english = tuple(row["en"].split("|"))
        languages = [value.split("|") for key, value in row.items() if key not in ("concept", "kind", "en")]
        others = [surface for values in languages for surface in values if surface]
        yield Entity(row["concept"], "concept", (*english, *others), english, facet=row["kind"])


def _programmes() -> Iterator[Entity]:
    for row in _rows("programmes.tsv"):
        surfaces = tuple(row["surfaces"].split("|"))
        yield Entity(row["programme"], "programme", surfaces, surfaces, row["country"] or None)


def _rows(name: str) -> list[dict[str, str]]:
    text = files("index.lexicon").joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
