"""What people call things: countries, nationalities, programmes, in the language of the query."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from random import Random

import opencc_purepy

from index.gazetteer import country_names
from index.language import script
from index.lexicon import entities
from training.synthesis.facts import Facts, plain
from training.synthesis.tables import rows

_LOCALES = {"zh": "zh_Hans"}
_BRACKETS = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]")
_YEARS = re.compile(r"(?<!\d)20[0-4]\d(?:\s?[-/–]\s?(?:20)?\d\d)?(?!\d)|\d{3}學年度(?:第\S學期)?")
_DULL = {
    "the",
    "of",
    "for",
    "a",
    "an",
    "and",
    "scholarship",
    "scholarships",
    "award",
    "awards",
    "program",
    "programme",
}
_EDGE = " -–—:·,."
_LONGEST_WORDS, _LONGEST_HAN, _LONGEST_NAME = 9, 24, 90
COMMON_HOMES: tuple[str, ...] = (
    "IN", "NG", "PK", "BD", "GH", "KE", "ET", "NP", "CN", "VN", "ID", "PH", "LK", "EG", "MA", "UG", "TZ", "CM", "ZW",
    "RW", "BR", "MX", "CO", "PE", "AR", "UA", "TR", "IR", "SY", "LB", "PS", "TH", "MY", "KR", "JP", "US", "GB", "DE",
    "FR", "ES", "IT", "PL", "SE", "CA", "AU", "ZA",
)  # fmt: skip
"""Nationalities that are asked about most often, from every continent."""


def country(code: str, language: str, rng: Random) -> str:
    """A name of a country as people type it."""
    row = _overrides().get(code, {})
    if said := row.get(language):
        return rng.choice(said.split("|"))
    names = country_names(_LOCALES.get(language, language))
    return names.get(code) or country_names("en").get(code, code)


def nationality(code: str, language: str, rng: Random) -> str:
    """How somebody from a country is called: a demonym in English, the country's name elsewhere."""
    if language == "en" and (known := _demonyms().get(code)):
        word = rng.choice(known)
        return word.capitalize() if rng.random() < 0.6 else word
    return country(code, language, rng)


def is_known_otherwise(facts: Facts) -> bool:
    """Whether the programme has an acronym, an old name or a name in another language."""
    return bool(facts.document.aliases) or any(True for _ in _known_names(facts))


def other_names(facts: Facts) -> tuple[str, ...]:
    """Acronyms, old names and translations that differ from the title."""
    title = plain(facts.document.title)
    found = dict.fromkeys((*facts.document.aliases, *_known_names(facts)))
    return tuple(name for name in found if plain(name) not in ("", title) and len(name) <= _LONGEST_NAME)


def names(facts: Facts, language: str, is_unique: bool) -> tuple[str, ...]:
    """Ways to name a programme, those in the query's language first; with the giver where the title is not enough."""
    document = facts.document
    titles = [document.title, *document.aliases, *_known_names(facts)]
    if english := document.translations.get("en"):
        titles.append(english.title)
    tidy = dict.fromkeys(filter(None, (_tidy(title) for title in titles)))
    if not is_unique and document.provider:
        given = document.provider.strip()
        tidy = {f"{given} {name}" if plain(given) not in plain(name) else name: None for name in tidy}
    own = [name for name in tidy if _is_han(name) == (language == "zh")]
    return tuple(own or tidy)


def shortened(name: str, rng: Random) -> str:
    """A name as typed in a hurry: dull words or its tail left out, lower case."""
    words = name.split()
    if len(words) > 3 and rng.random() < 0.4:
        words = [word for word in words if word.casefold() not in _DULL] or words
    if len(words) > 4 and rng.random() < 0.25:
        words = words[: rng.randrange(3, len(words))]
    said = " ".join(words)
    return said.lower() if rng.random() < 0.7 else said


@cache
def _converters() -> Mapping[str, opencc_purepy.OpenCC]:
    return {"zh-Hant": opencc_purepy.OpenCC("s2tw"), "zh-Hans": opencc_purepy.OpenCC("t2s")}


def in_script(text: str, language: str) -> str:
    """Chinese text in the script of `language` ("zh-Hant" or "zh-Hans")."""
    return str(_converters()[language].convert(text))


def _tidy(title: str) -> str:
    """A title without brackets, years and what follows a dash; "" when too long to type."""
    said = " ".join(_YEARS.sub(" ", _BRACKETS.sub(" ", title)).split()).strip(_EDGE)
    limit = _LONGEST_HAN if _is_han(said) else _LONGEST_NAME
    return said if 3 <= len(said) <= limit and len(said.split()) <= _LONGEST_WORDS else ""


def _is_han(text: str) -> bool:
    return any(script(character) == "han" for character in text)


@lru_cache(maxsize=65536)
def _known_names_of(title: str) -> tuple[str, ...]:
    padded = f" {title} "
    found: list[str] = []
    for keys, surfaces in _programmes():
        if any(f" {key} " in padded for key in keys):
            found.extend(surfaces)
    return tuple(found)


def _known_names(facts: Facts) -> Iterable[str]:
    """Acronyms, old names and translations of the shipped table, for titles that hold one of its longer names."""
    return _known_names_of(facts.title_key)


@cache
def _programmes() -> Sequence[tuple[tuple[str, ...], tuple[str, ...]]]:
    programmes = (entity for entity in entities() if entity.kind == "programme")
    return tuple(
        (tuple(plain(name) for name in entity.surfaces if len(plain(name).split()) >= 3), entity.surfaces)
        for entity in programmes
    )


@cache
def _overrides() -> Mapping[str, Mapping[str, str]]:
    return {row["code"]: row for row in rows("countries")}


@cache
def _demonyms() -> Mapping[str, tuple[str, ...]]:
    text = files("index.lexicon").joinpath("demonyms.tsv").read_text(encoding="utf-8")
    table = csv.DictReader(text.splitlines(), delimiter="\t")
    return {row["country"]: tuple(row["demonyms"].split("|")) for row in table}
