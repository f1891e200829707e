"""A query as somebody would type it, and what it asks for.

A template is drawn first; its gaps say which facts of the record are told, and only those become the need. So a query
asks for no more than it says. Time is read back from the finished text by the parser the service uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from random import Random

from babel import Locale

from index.timeintent import time_intent
from training.synthesis import naming
from training.synthesis.facts import Facts
from training.synthesis.need import Need
from training.synthesis.slips import slip
from training.synthesis.tables import jobs, templates, times, words

_GAP = re.compile(r"\{(\w+)\}")
_SPACED_HAN = re.compile(r"(?<=[一-鿿]) (?=[一-鿿])")
_STYLES: Mapping[str, float] = {
    "keyword": 0.36,
    "question": 0.16,
    "story": 0.12,
    "name": 0.17,
    "deadline": 0.19,
}
_TIMED: Mapping[str, float] = {"keyword": 0.3, "question": 0.25, "story": 0.12, "name": 0.08, "deadline": 0.0}
_SLIP_SHARE = 0.1
# A name that only one record bears is found by its words alone; few such queries are enough.
_PLAIN_NAME_SKIPPED = 0.7
_HANT_SHARE = 0.45
# Traits that are the point of an award go before those that many awards share.
_SHARED_TRAITS = frozenset(
    ["merit", "service", "leadership", "essay", "research", "need", "stem", "international", "first_year"]
)
_SEASONS: Mapping[str, tuple[str, ...]] = {
    "en": ("spring", "fall", "autumn", "summer"),
    "zh": ("春季", "秋季"),
    "de": ("Frühjahr", "Herbst", "Sommer"),
    "es": ("primavera", "otoño"),
    "ko": ("봄", "가을"),
}
_MOST_YEARS_OFF = 2


@dataclass(frozen=True, slots=True)
class Wording:
    """A query, its language (BCP 47), its style and what it asks for."""

    text: str
    language: str
    style: str
    need: Need


@dataclass(frozen=True, slots=True)
class Seed:
    """The record a query is written from: its facts, the ids of its programme's records, whether its title is its own.

    has_rivals: other rounds or namesakes exist, so that naming it does not yet find the right record.
    """

    facts: Facts
    programme: frozenset[str]
    is_unique: bool
    has_rivals: bool


def ask(seed: Seed, language: str, as_of: date, rng: Random) -> Wording | None:
    """A query in `language` ("en", "zh" …) that the seed answers; None when its facts say too little."""
    for _ in range(6):
        style = rng.choices(list(_STYLES), list(_STYLES.values()))[0]
        patterns = templates(language, style)
        if not patterns:
            continue
        if style in ("name", "deadline") and not seed.has_rivals and rng.random() < _PLAIN_NAME_SKIPPED:
            continue
        template = rng.choice(patterns)
        gaps = _GAP.findall(template)
        told = _told(seed, language, gaps, as_of, rng)
        if told is not None:
            return _worded(seed, template, told, language, style, as_of, rng)
    return None


def _worded(
    seed: Seed,
    template: str,
    told: Mapping[str, tuple[str, str]],
    language: str,
    style: str,
    as_of: date,
    rng: Random,
) -> Wording:
    text = _GAP.sub(lambda gap: told[gap[1]][0], template)
    if rng.random() < _TIMED[style]:
        text = _timed(text, seed, language, as_of, rng)
    tag = language
    if language == "zh":
        tag = "zh-Hant" if rng.random() < _hant_share(seed) else "zh-Hans"
        if style in ("keyword", "name") and rng.random() < 0.4:
            text = _SPACED_HAN.sub("", text)
        text = naming.in_script(text, tag)
    elif style == "keyword" and rng.random() < 0.8:
        text = text.lower()
    elif style in ("story", "question", "deadline") and rng.random() < 0.3:
        text = text.lower().rstrip("?")
    if rng.random() < _SLIP_SHARE:
        text = slip(text, rng)
    return Wording(text, tag, style, _need(seed, told, tag, text, as_of))


# Where people write in a language; English is written everywhere.
_HOMES: Mapping[str, frozenset[str]] = {
    "zh-Hans": frozenset({"CN"}),
    "zh-Hant": frozenset({"TW", "HK", "MO"}),
    "de": frozenset({"DE", "AT", "CH"}),
    "es": frozenset(["ES", "MX", "CO", "PE", "AR", "CL", "EC", "BO", "VE", "GT", "CR", "UY", "PY"]),
    "ko": frozenset({"KR"}),
    "sv": frozenset({"SE"}),
    "pl": frozenset({"PL"}),
}


def _need(seed: Seed, told: Mapping[str, tuple[str, str]], language: str, text: str, as_of: date) -> Need:
    values = {gap: value for gap, (_, value) in told.items()}
    home = values.get("home") or values.get("nat")
    is_named = "name" in values
    return Need(
        names=seed.programme if is_named else frozenset(),
        level=values.get("level"),
        country=values.get("country"),
        field=values.get("field"),
        nationality=home,
        homes=_HOMES.get(language, frozenset()),
        group=values.get("group"),
        coverage=values.get("cover"),
        place=values.get("place"),
        category=values.get("category"),
        provider=values.get("provider"),
        is_abroad=home is not None and home != values.get("country"),
        intent=time_intent(text, as_of),
    )


def _told(
    seed: Seed, language: str, gaps: list[str], as_of: date, rng: Random
) -> dict[str, tuple[str, str]] | None:
    """(words, value) for each gap; None when the record does not know one."""
    told: dict[str, tuple[str, str]] = {}
    for gap in gaps:
        if gap not in told:
            found = _TELLERS[gap](seed, language, as_of, rng)
            if found is None:
                return None
            told[gap] = found
    if "home" in told and "nat" in told:
        return None  # two different people would speak
    return told


_Told = tuple[str, str] | None


def _say(key: str, language: str, rng: Random) -> _Told:
    said = words().get(key, {})
    forms = said.get(language) or (said.get("en") if language in ("fr", "sv", "pl") else None)
    return (rng.choice(forms), key.partition(":")[2]) if forms else None


def _level(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    levels = sorted((seed.facts.levels or frozenset()) - {"other"})
    return _say(f"level:{rng.choice(levels)}", language, rng) if levels else None


def _field(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    codes = sorted(seed.facts.fields or ())
    if not codes or len(codes) > 5:
        return None
    code = rng.choice(codes)
    if len(code) == 4 and rng.random() < 0.15 and f"field:{code[:2]}" in words():
        code = code[:2]
    return _say(f"field:{code}", language, rng)


def _country(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    hosts = sorted(seed.facts.hosts or ())
    if not hosts or len(hosts) > 12:
        return None
    code = rng.choice(hosts)
    return naming.country(code, language, rng), code


def _home(seed: Seed, rng: Random) -> str | None:
    stated = sorted((seed.facts.nationalities or frozenset()) - {"any"})
    if stated:
        common = [code for code in stated if code in naming.COMMON_HOMES]
        return rng.choice(common or stated)
    hosts = seed.facts.hosts or frozenset()
    is_foreign = bool({"international", "abroad", "exchange"} & seed.facts.traits) or seed.facts.is_flagship
    if hosts and len(hosts) <= 2 and not is_foreign and rng.random() < 0.6:
        return rng.choice(sorted(hosts))
    return rng.choice([code for code in naming.COMMON_HOMES if code not in hosts])


def _nationality(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    code = _home(seed, rng)
    return (naming.nationality(code, language, rng), code) if code else None


def _home_country(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    code = _home(seed, rng)
    if code is None or code in (seed.facts.hosts or ()):
        return None  # who leaves home does not study there
    return naming.country(code, language, rng), code


def _group(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    traits = sorted(trait for trait in seed.facts.traits if f"trait:{trait}" in words())
    own = [trait for trait in traits if trait not in _SHARED_TRAITS]
    chosen = own if own and rng.random() < 0.85 else traits
    return _say(f"trait:{rng.choice(chosen)}", language, rng) if chosen else None


def _cover(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    kinds = sorted(kind for kind in seed.facts.coverage if f"coverage:{kind}" in words())
    return _say(f"coverage:{rng.choice(kinds)}", language, rng) if kinds else None


def _place(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    found = sorted(seed.facts.places)
    if not found or len(found) > 3:
        return None
    place = rng.choice(found)
    return place, place


def _category(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    found = sorted(seed.facts.categories)
    if not found:
        return None
    category = rng.choice(found)
    return category, category


def _provider(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    name = (seed.facts.document.provider or "").strip()
    if not 3 <= len(name) <= 50:
        return None
    return (name.lower() if rng.random() < 0.5 else name), seed.facts.provider_key


def _name(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    known = naming.names(seed.facts, language, seed.is_unique)
    return (naming.shortened(rng.choice(known), rng), "name") if known else None


def _award(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    return _say("kind:award", language, rng)


def _job(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    return rng.choice(jobs(language)), ""


def _year(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    near = as_of.year + rng.choices((0, 1, -1), (0.62, 0.3, 0.08))[0]
    return str(near), ""


def _season(seed: Seed, language: str, as_of: date, rng: Random) -> _Told:
    return rng.choice(_SEASONS.get(language, _SEASONS["en"])), ""


_TELLERS = {
    "level": _level,
    "field": _field,
    "country": _country,
    "nat": _nationality,
    "home": _home_country,
    "group": _group,
    "cover": _cover,
    "place": _place,
    "category": _category,
    "provider": _provider,
    "name": _name,
    "w": _award,
    "job": _job,
    "year": _year,
    "season": _season,
}


def _timed(text: str, seed: Seed, language: str, as_of: date, rng: Random) -> str:
    """`text` with a phrase of time, at its end or, in Chinese and Korean, also at its head."""
    kind = "open" if rng.random() < 0.45 else "period"
    phrases = times(language, kind)
    if not phrases:
        return text
    closing = _near_closing(seed, as_of)
    month = closing.month if closing and rng.random() < 0.6 else rng.randrange(1, 13)
    year = int((_year(seed, language, as_of, rng) or ("0", ""))[0])
    said = rng.choice(phrases).format(
        month=_month(month, language),
        day=rng.choice((1, 15, 28, closing.day if closing else 10)),
        year=year,
        next=str(year + 1)[2:],
        season=(_season(seed, language, as_of, rng) or ("", ""))[0],
    )
    is_head = language in ("zh", "ko") and rng.random() < 0.5
    return f"{said} {text}" if is_head else f"{text.rstrip('?？。.')} {said}"


def _near_closing(seed: Seed, as_of: date) -> date | None:
    """The last day of the round that is nearest to the question."""
    days = [window.deadline_on for window in seed.facts.document.windows if window.deadline_on]
    near = [day for day in days if abs(day.year - as_of.year) <= _MOST_YEARS_OFF]
    return min(near, key=lambda day: abs((day - as_of).days), default=None)


def _month(month: int, language: str) -> str:
    if language in ("zh", "ko"):
        return f"{month}{'月' if language == 'zh' else '월'}"
    name = Locale.parse(language).months["format"]["wide"][month]
    return str(name)


def _hant_share(seed: Seed) -> float:
    """Who asks about Taiwan writes its script."""
    return 0.8 if seed.facts.document.language == "zh" else _HANT_SHARE / 2
