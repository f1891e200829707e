"""What fills the gaps of a template: for each, words in the query's language and the fact they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from random import Random

from training.synthesis import naming
from training.synthesis.facts import Facts
from training.synthesis.tables import jobs, words

Told = tuple[str, str]
"""(what is written, the fact it stands for); the fact is "" where none is told."""

# Traits that are the point of an award go before those that many awards share.
_SHARED_TRAITS = frozenset(
    {"merit", "service", "leadership", "essay", "research", "need", "stem", "international", "first_year"}
)
# What is rewarded or paid for, rather than who somebody is.
_NO_PEOPLE = frozenset(
    {"merit", "essay", "research", "stem", "thesis", "conference", "leadership", "emergency", "exchange"}
)
_SEASONS: Mapping[str, tuple[str, ...]] = {
    "en": ("spring", "fall", "autumn", "summer"),
    "zh": ("春季", "秋季"),
    "de": ("Frühjahr", "Herbst", "Sommer"),
    "es": ("primavera", "otoño"),
    "ko": ("봄", "가을"),
}
_BORROWS_ENGLISH = frozenset({"fr", "sv", "pl"})
# An award for very many fields, countries or places is not asked for by one of them.
_MOST_FIELDS, _MOST_HOSTS, _MOST_PLACES, _LONGEST_PROVIDER = 5, 12, 3, 50
_BROAD_SHARE, _OWN_TRAIT_SHARE = 0.15, 0.85
_MOST_NATIVE = 2
_OTHER_NAME_SHARE = 0.55


@dataclass(frozen=True, slots=True)
class Seed:
    """The record a query is written from.

    programme: ids of all records of its programme. is_unique: its title alone names it. has_rivals: other rounds,
    namesakes or other names exist, so that naming it does not yet find the right record.
    """

    facts: Facts
    programme: frozenset[str]
    is_unique: bool
    has_rivals: bool


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who writes: about which record, in which language ("en", "zh" …), on which day, by which chance."""

    seed: Seed
    language: str
    as_of: date
    rng: Random

    def fill(self, gaps: Iterable[str]) -> dict[str, Told] | None:
        """What fills each gap; None when the record does not know one."""
        told: dict[str, Told] = {}
        for gap in dict.fromkeys(gaps):
            found = _TELLERS[gap](self)
            if found is None:
                return None
            told[gap] = found
        return None if _contradicts(told) else told

    def say(self, kind: str, values: Iterable[str]) -> Told | None:
        """One of `values` (of a kind such as "level") in words; None when there is none, or no word for it."""
        known = [value for value in sorted(values) if f"{kind}:{value}" in words()]
        if not known:
            return None
        value = self.rng.choice(known)
        said = words()[f"{kind}:{value}"]
        forms = said.get(self.language) or (said.get("en") if self.language in _BORROWS_ENGLISH else None)
        return (self.rng.choice(forms), value) if forms else None


def _contradicts(told: Mapping[str, Told]) -> bool:
    """Whether two people would speak, or somebody asks as a foreigner for their own country."""
    nationality = told.get("nat")
    return nationality is not None and ("home" in told or nationality[1] == told.get("country", ("", ""))[1])


def year(speaker: Speaker) -> Told:
    """The year of the question, the one after it, seldom the one before."""
    return str(speaker.as_of.year + speaker.rng.choices((0, 1, -1), (0.62, 0.3, 0.08))[0]), ""


def season(speaker: Speaker) -> Told:
    """A season's name."""
    return speaker.rng.choice(_SEASONS.get(speaker.language, _SEASONS["en"])), ""


def _level(speaker: Speaker) -> Told | None:
    return speaker.say("level", (speaker.seed.facts.levels or frozenset()) - {"other"})


def _field(speaker: Speaker) -> Told | None:
    codes = speaker.seed.facts.fields or frozenset()
    if len(codes) > _MOST_FIELDS:
        return None
    if speaker.rng.random() < _BROAD_SHARE:
        codes = frozenset(code[:2] for code in codes)
    return speaker.say("field", codes)


def _country(speaker: Speaker) -> Told | None:
    hosts = sorted(speaker.seed.facts.hosts or ())
    if not 0 < len(hosts) <= _MOST_HOSTS:
        return None
    code = speaker.rng.choice(hosts)
    return naming.country(code, speaker.language, speaker.rng), code


def _home_code(speaker: Speaker) -> str | None:
    """Where the asker is from: a nationality the record states; any, if it is open to all; else its own country."""
    facts, rng = speaker.seed.facts, speaker.rng
    if stated := sorted((facts.nationalities or frozenset()) - {"any"}):
        return rng.choice([code for code in stated if code in naming.COMMON_HOMES] or stated)
    hosts = facts.hosts or frozenset()
    if facts.nationalities or facts.is_flagship or "international" in facts.traits:
        return rng.choice([code for code in naming.COMMON_HOMES if code not in hosts])
    return rng.choice(sorted(hosts)) if 0 < len(hosts) <= _MOST_NATIVE else None


def _nationality(speaker: Speaker) -> Told | None:
    code = _home_code(speaker)
    return (naming.nationality(code, speaker.language, speaker.rng), code) if code else None


def _home(speaker: Speaker) -> Told | None:
    code = _home_code(speaker)
    if code is None or code in (speaker.seed.facts.hosts or ()):
        return None  # who leaves home does not study there
    return naming.country(code, speaker.language, speaker.rng), code


def _group(speaker: Speaker) -> Told | None:
    traits = speaker.seed.facts.traits
    own = traits - _SHARED_TRAITS
    prefers_own = bool(own) and speaker.rng.random() < _OWN_TRAIT_SHARE
    return speaker.say("trait", own if prefers_own else traits)


def _people(speaker: Speaker) -> Told | None:
    """A group that somebody can belong to."""
    return speaker.say("trait", speaker.seed.facts.traits - _NO_PEOPLE)


def _cover(speaker: Speaker) -> Told | None:
    return speaker.say("coverage", speaker.seed.facts.coverage)


def _award(speaker: Speaker) -> Told | None:
    return speaker.say("kind", {"award"})


def _place(speaker: Speaker) -> Told | None:
    return _one_of(speaker, speaker.seed.facts.places, _MOST_PLACES)


def _category(speaker: Speaker) -> Told | None:
    return _one_of(speaker, speaker.seed.facts.categories, _MOST_PLACES)


def _one_of(speaker: Speaker, names: frozenset[str], most: int) -> Told | None:
    if not 0 < len(names) <= most:
        return None
    name = speaker.rng.choice(sorted(names))
    return name, name


def _provider(speaker: Speaker) -> Told | None:
    name = (speaker.seed.facts.document.provider or "").strip()
    if not 3 <= len(name) <= _LONGEST_PROVIDER:
        return None
    return (name.lower() if speaker.rng.random() < 0.5 else name), speaker.seed.facts.provider_key


def _name(speaker: Speaker) -> Told | None:
    """The title, or half of the time another name of the programme, as it is written."""
    facts, rng = speaker.seed.facts, speaker.rng
    others = naming.other_names(facts)
    if others and rng.random() < _OTHER_NAME_SHARE:
        said = rng.choice(others)
        return (said.lower() if rng.random() < 0.3 else said), "name"
    known = naming.names(facts, speaker.language, speaker.seed.is_unique)
    return (naming.shortened(rng.choice(known), rng), "name") if known else None


def _job(speaker: Speaker) -> Told | None:
    return speaker.rng.choice(jobs(speaker.language)), ""


_TELLERS: Mapping[str, Callable[[Speaker], Told | None]] = {
    "level": _level,
    "field": _field,
    "country": _country,
    "nat": _nationality,
    "home": _home,
    "group": _group,
    "people": _people,
    "cover": _cover,
    "place": _place,
    "category": _category,
    "provider": _provider,
    "name": _name,
    "w": _award,
    "job": _job,
    "year": year,
    "season": season,
}

GAPS = frozenset(_TELLERS)
"""The gaps a template may have."""
