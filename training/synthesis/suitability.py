"""How well an award suits what was asked, time apart: 3 (all that was asked) to 0 (something else). Pure functions.

Each facet that was asked fits, is missed, or is left open by a record that is silent about it. A missed topic is the
end; a missed constraint leaves the award related; silence costs by how much the facet matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from index.countries import ANY
from training.synthesis.facts import REGIONS, Facts
from training.synthesis.need import Need

Verdict = Literal["fits", "silent", "misses"]

_EXACT, _GOOD, _RELATED = 3.0, 2.0, 1.0
# What it costs when the record is silent about something that was asked, in grades.
_SILENT: Mapping[str, float] = {
    "level": 0.8,
    "country": 0.9,
    "nationality": 0.3,
    "field": 1.8,
    "group": 2.0,
    "coverage": 0.7,
    "place": 1.6,
    "category": 1.6,
    "provider": 3.0,
}
# An award for every field, where it is a state's own programme or meets the rest of a pointed question.
_BROAD_FIELD = 1.0
# A country's own award that does not speak of foreigners; an award open to all, for who asks as one of a region.
_FOREIGN = 0.9
# The asker says neither who they are nor where they go, and the award is for others, or elsewhere.
_NOT_MINE, _ELSEWHERE = 1.2, 0.9
_NARROW, _FOR_ONE_NATION = 0.3, 0.6
_OTHER_GROUP, _OTHER_PLACE, _AT_HOME = 0.8, 0.2, 0.8
# Facets without which the award is about something else; the others are constraints on the right thing.
_TOPICS = frozenset({"field", "group", "category", "provider", "place"})
_APART = frozenset({"women", "disability", "refugee", "orphan", "indigenous", "military", "lgbt", "care"})
# Groups that shut everybody else out: an award for them does not suit who did not say to belong.
_CLOSED = _APART | {
    "single_parent", "overseas_chinese", "public_service_family", "worker_family", "farm_family", "illness",
    "emergency", "black", "latino", "minority", "multicultural", "teachers", "alumni",
}  # fmt: skip
_GOING_OUT = frozenset({"international", "abroad", "exchange"})


def suitability(need: Need, facts: Facts) -> float:
    """0 to 3: how well the award suits the need."""
    if need.names:
        return _EXACT if facts.doc_id in need.names else 0.0
    if facts.is_call:
        return 0.0
    verdicts = dict(_verdicts(need, facts))
    missed = [name for name, verdict in verdicts.items() if verdict == "misses"]
    if any(name in _TOPICS for name in missed) or len(missed) > 1:
        return 0.0
    silent = [name for name, verdict in verdicts.items() if verdict == "silent"]
    if len(silent) == len(verdicts):
        return 0.0
    lost = sum(_silence(name, need, facts) for name in silent) + _shut(need, facts)
    if missed:
        # One constraint fails. Partial money is less than hoped for, another level or country is not for the asker.
        return round(max((_GOOD if missed == ["coverage"] else _RELATED) - lost / 2, 0.0), 2)
    return round(max(_EXACT - lost, 0.0), 2)


def _silence(name: str, need: Need, facts: Facts) -> float:
    """What the record's silence about a facet costs."""
    if name == "field" and (facts.is_flagship or (facts.any_field and (need.group or need.provider))):
        return _BROAD_FIELD
    if (
        name == "nationality"
        and facts.hosts
        and need.nationality not in facts.hosts
        and not facts.is_flagship
    ):
        return _FOREIGN
    if name == "group" and need.group in REGIONS and facts.nationalities and ANY in facts.nationalities:
        return _FOREIGN
    return _SILENT[name]


def _shut(need: Need, facts: Facts) -> float:
    """How much the award is for other people, or other places, than the asker speaks of."""
    others = {trait for trait in facts.traits & _CLOSED if trait != need.group}
    if need.group in facts.traits:
        others -= _CLOSED - _APART
    cost = _OTHER_GROUP * min(len(others), 2)
    if need.nationality is None:
        cost += _strange(need, facts)
    if need.place is None and facts.places and facts.hosts and not need.provider:
        cost += _OTHER_PLACE
    return cost


def _strange(need: Need, facts: Facts) -> float:
    """How unlikely it is that somebody who writes in this language, and does not say where from, may apply."""
    stated = facts.nationalities
    is_narrow = stated is not None and ANY not in stated
    if is_narrow and stated is not None and need.homes and not stated & need.homes:
        return _NOT_MINE
    cost = 0.0
    if is_narrow and stated is not None and not need.homes:
        cost += _FOR_ONE_NATION if len(stated) == 1 and stated != facts.hosts else _NARROW
    if need.is_abroad and need.country is None and not facts.is_flagship:
        is_for_all = stated is not None and ANY in stated
        cost += 0.0 if is_for_all or facts.traits & _GOING_OUT else _AT_HOME
    elif need.homes and need.country is None and facts.hosts and not facts.hosts & need.homes:
        cost += 0.0 if "international" in facts.traits else _ELSEWHERE
    return cost


def _verdicts(need: Need, facts: Facts) -> Iterable[tuple[str, Verdict]]:
    """Each facet that was asked, with "fits", "silent" or "misses"."""
    if need.level:
        yield "level", _among(need.level, facts.levels)
    if need.country:
        yield "country", _among(need.country, facts.hosts)
    if need.nationality:
        yield "nationality", _nationality(need, facts)
    if need.field:
        yield "field", _field(need.field, facts)
    if need.group:
        yield "group", _group(need.group, facts)
    if need.coverage:
        yield "coverage", _coverage(need.coverage, facts)
    if need.place:
        yield "place", _place(need.place, facts)
    if need.category:
        yield "category", _among(need.category, facts.categories or None)
    if need.provider:
        yield "provider", "fits" if need.provider == facts.provider_key else "misses"


def _among(wanted: str, stated: frozenset[str] | None) -> Verdict:
    if not stated:
        return "silent"
    return "fits" if wanted in stated else "misses"


def _nationality(need: Need, facts: Facts) -> Verdict:
    stated, asked = facts.nationalities, need.nationality
    if need.is_abroad and facts.hosts == frozenset({asked}) and not facts.traits & {"abroad", "exchange"}:
        return "misses"  # an award at home for somebody who wants to leave
    if stated:
        return "fits" if ANY in stated or asked in stated else "misses"
    if "international" in facts.traits:
        return "misses" if facts.hosts == frozenset({asked}) else "fits"
    if "domestic" in facts.traits and facts.hosts:
        return "fits" if asked in facts.hosts else "misses"
    return "fits" if facts.hosts and asked in facts.hosts else "silent"


def _field(wanted: str, facts: Facts) -> Verdict:
    if facts.any_field or not facts.fields:
        return "silent"
    # A broader code takes in the asker's field, a narrower one is part of what they asked.
    near = any(field.startswith(wanted) or wanted.startswith(field) for field in facts.fields)
    return "fits" if near else "misses"


def _group(wanted: str, facts: Facts) -> Verdict:
    if wanted in facts.traits or (wanted == "women" and "women_welcome" in facts.traits):
        return "fits"
    if wanted in REGIONS and facts.nationalities:
        if ANY in facts.nationalities:
            return "silent"
        return "fits" if facts.nationalities & REGIONS[wanted] else "misses"
    if wanted == "international" and facts.nationalities and ANY in facts.nationalities:
        return "fits"
    if wanted == "international" and ("domestic" in facts.traits or _is_only_at_home(facts)):
        return "misses"
    return "misses" if facts.traits & _CLOSED else "silent"


def _is_only_at_home(facts: Facts) -> bool:
    return facts.nationalities is not None and facts.nationalities == facts.hosts


def _coverage(wanted: str, facts: Facts) -> Verdict:
    stated = facts.coverage
    if not stated:
        return "silent"
    enough = {"full"} if wanted == "full" else {"full", wanted}
    if wanted == "full" and {"tuition", "living"} <= stated:
        return "fits"
    return "fits" if stated & enough else "misses"


def _place(wanted: str, facts: Facts) -> Verdict:
    if not facts.places:
        return "silent"
    return "fits" if wanted in facts.places else "misses"
