"""What is known of a record, in the terms in which a query can ask for it.

Stated facts come from the record's fields; where those are silent, the rules that compiled the catalogue read the
record's own words. What neither says stays unknown, as everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from index.catalogue.compile import signals
from index.countries import ANY
from index.discipline import is_code
from index.document import Document
from index.passage import body
from training.synthesis.tables import places

CALL_SOURCES = frozenset({"eu_funding_tenders", "us_grants_gov", "il_ggmatcher"})
"""Feeds of calls that organisations answer."""

_FLAGSHIP_NATIONS = 5
# What an award is for is said early; reading on costs time and finds other awards.
_READ_CHARACTERS = 3000
_CATEGORY = re.compile(r"(?<!\w)(SC|ST|OBC|EWS|SEBC|VJNT|DNT|Brahmin|Jain|Muslim|Sikh|Minority)(?!\w)")
# What a title says outright, however it is put.
_TITLED: Mapping[str, re.Pattern[str]] = {
    "women": re.compile(
        r"\b(?:wom[ae]n|female|girls?|lad(?:y|ies)|mujer(?:es)?|frauen)\b|女|여학생|여성", re.I
    ),
    "refugee": re.compile(r"\b(?:refugees?|asylum|sanctuary|geflüchtete|refugiad[oa]s)\b|難民|난민", re.I),
    "disability": re.compile(r"\bdisab(?:led|ilit(?:y|ies))\b|\bdivyang|身心障礙|장애", re.I),
    "indigenous": re.compile(
        r"\b(?:indigenous|aboriginal|first nations|native american)\b|原住民|원주민", re.I
    ),
    "lgbt": re.compile(r"\blgbt|\btransgender\b|\bqueer\b", re.I),
    "orphan": re.compile(r"\borphans?\b|失怙|孤兒|고아", re.I),
    "single_parent": re.compile(r"\bsingle (?:parent|mother)|單親|한부모", re.I),
    "firstgen": re.compile(r"\bfirst[- ](?:generation|in[- ]family)\b", re.I),
    "sport": re.compile(r"\b(?:sports?|athletic|athletes?|rugby|hockey|basketball|volleyball)\b|體育", re.I),
    "need": re.compile(r"\bbursar(?:y|ies)\b|\bhardship\b|清寒|低收入|저소득", re.I),
}
_YEAR = re.compile(r"(?<!\d)(?:20[0-4]\d)(?:\s?[-/–]\s?(?:20)?\d\d)?(?!\d)|(?<!\d)1[01]\d(?=\s*學年)")
_NOT_WORD = re.compile(r"[\W_]+")
_REGIONS: Mapping[str, str] = {
    "africa": "NG KE GH ET ZA UG TZ RW CM ZM ZW SN EG MA DZ TN SD MW MZ BJ CI",
    "latin_america": "MX BR AR CO PE CL EC BO VE PY UY GT HN SV CR PA DO CU NI",
    "middle_east": "EG JO LB SY IQ IR PS YE SA AE OM KW QA BH TR",
    "asia": "CN IN ID VN TH PH MY BD PK NP LK KR JP TW KH LA MM MN",
    "eastern_europe": "UA PL RO BG RS BA AL MK ME XK HR HU CZ SK MD BY GE AM",
    "eu": "DE FR ES IT PL NL SE AT BE DK FI IE PT GR CZ HU RO BG HR SK SI LT LV EE",
    "commonwealth": "NG KE GH IN PK BD LK ZA UG TZ MY AU CA NZ JM ZM",
    "developing": "NG KE GH ET UG TZ IN PK BD NP VN ID PH PE BO CO EG MA SD ZM RW",
}
REGIONS: Mapping[str, frozenset[str]] = {name: frozenset(codes.split()) for name, codes in _REGIONS.items()}
"""Some of the countries a region trait stands for; enough to tell an asker who belongs from one who does not."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One record. None means unknown; an empty set of traits means that none is spoken of.

    title_key: the title without years and punctuation. nationalities: ISO codes or "any". any_field: open to every
    field. traits, coverage: keys of our tables. places, categories: named in the record. is_call: for organisations.
    is_flagship: a national programme for every field.
    """

    document: Document
    title_key: str
    provider_key: str
    levels: frozenset[str] | None
    hosts: frozenset[str] | None
    nationalities: frozenset[str] | None
    fields: frozenset[str] | None
    any_field: bool
    traits: frozenset[str]
    coverage: frozenset[str]
    places: frozenset[str]
    categories: frozenset[str]
    is_call: bool
    is_flagship: bool

    @property
    def doc_id(self) -> str:
        """The record's id."""
        return self.document.doc_id


def facts(document: Document, twin: Document | None = None) -> Facts:
    """The facts of `document`; `twin` is another record of the same programme that may say more."""
    if document.source in CALL_SOURCES:
        return _of_a_call(document)
    text = body(document)[:_READ_CHARACTERS]
    levels = document.levels or (twin and twin.levels) or signals.levels(document.title, text)
    fields, any_field = _fields(document, twin, text)
    hosts = document.host_countries or (twin and twin.host_countries) or None
    nationalities = document.eligible_nationalities or (twin and twin.eligible_nationalities) or None
    prose = f"{text}\n{body(twin)}" if twin else text
    traits = frozenset(signals.traits(document.title, prose)) | _titled(document.title)
    whole = " ".join(filter(None, (document.title, document.provider, prose)))
    return Facts(
        document=document,
        title_key=title_key(document.title),
        provider_key=plain(document.provider or ""),
        levels=_set(levels),
        hosts=_set(hosts),
        nationalities=_set(nationalities) or _by_region(traits),
        fields=_set(fields),
        any_field=any_field,
        traits=traits,
        coverage=frozenset(document.coverage or signals.coverage(prose)),
        places=_places(whole, hosts),
        categories=frozenset(_CATEGORY.findall(whole)) if hosts and "IN" in hosts else frozenset(),
        is_call=False,
        is_flagship=_is_flagship(document, twin, fields, nationalities),
    )


def _of_a_call(document: Document) -> Facts:
    """A call for organisations is told by its name alone: nobody asks this catalogue for what it pays for."""
    nothing: frozenset[str] = frozenset()
    return Facts(
        document, title_key(document.title), plain(document.provider or ""), None, None, None, None, False,
        nothing, nothing, nothing, nothing, is_call=True, is_flagship=False,
    )  # fmt: skip


def all_facts(documents: Sequence[Document], twins: Sequence[Document] = ()) -> tuple[Facts, ...]:
    """The facts of each document; a twin is another record with the same title and provider."""
    known = {_identity(twin): twin for twin in twins}
    return tuple(facts(document, known.get(_identity(document))) for document in documents)


def _titled(title: str) -> frozenset[str]:
    return frozenset(trait for trait, pattern in _TITLED.items() if pattern.search(title))


def title_key(title: str) -> str:
    """A title without years, case and punctuation: what rounds and copies of one programme share."""
    return plain(_YEAR.sub(" ", title))


def plain(text: str) -> str:
    """Lower-case words separated by single spaces."""
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def _identity(document: Document) -> tuple[str, str]:
    return plain(document.title), plain(document.provider or "")


def _set(values: Sequence[str] | None) -> frozenset[str] | None:
    return frozenset(values) if values else None


def _fields(document: Document, twin: Document | None, text: str) -> tuple[tuple[str, ...], bool]:
    """(ISCED-F codes, open to any field); a code stands for its text where the table knows it."""
    stated = [field for field in (document.fields or ()) if field]
    codes = tuple(field for field in stated if is_code(field))
    if codes:
        return codes, False
    if twin and twin.fields:
        return tuple(field for field in twin.fields if is_code(field)), False
    found, any_field = signals.fields(stated, document.title, text)
    return found, any_field


def _by_region(traits: frozenset[str]) -> frozenset[str] | None:
    named = [REGIONS[trait] for trait in sorted(traits) if trait in REGIONS]
    return frozenset().union(*named) if named else None


def _places(text: str, hosts: Sequence[str] | None) -> frozenset[str]:
    folded = text.casefold()
    return frozenset(
        place
        for place, country in places().items()
        if (not hosts or country in hosts) and place.casefold() in folded and _stands(place, text)
    )


def _stands(place: str, text: str) -> bool:
    """Whether a place is named as itself: "Virginia", but not inside "West Virginia"."""
    return not place.isascii() or _place_pattern(place).search(text) is not None


@cache
def _place_pattern(place: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!West )(?<!South )(?<!North )(?<!\w){re.escape(place)}(?!\w)", re.I)


def _is_flagship(
    document: Document, twin: Document | None, fields: Sequence[str], nationalities: Sequence[str] | None
) -> bool:
    """A programme of a state for many: curated as such, or of a government and open to several nationalities."""
    if document.source == "curated" or (twin and twin.source == "curated"):
        return True
    giver = (document.provider or "").casefold()
    wide = nationalities is not None and (ANY in nationalities or len(nationalities) >= _FLAGSHIP_NATIONS)
    return wide and not fields and ("government" in giver or "ministry" in giver)
