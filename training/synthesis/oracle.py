"""How well a record answers a need on a day: a grade from 0 (of no use) to 3 (exactly this, and one can still apply).

The logic of the judging guide as rules. First what the award is (`fit`), then whether one can still apply
(`standing`), then both together (`grade`). Grades between the whole ones are shades: an award that does not say
whether this round is open stands a little below one that is. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from rapidfuzz import fuzz

from index.availability import Availability, availability
from index.countries import ANY
from index.document import Window
from index.timeintent import TimeIntent
from training.synthesis.facts import REGIONS, Facts
from training.synthesis.need import Need

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
# An award for every field, or without a word about it, when it is a state's own programme or meets the whole rest.
_BROAD_FIELD = 1.0
_FOREIGN = 0.9
# When the asker says neither who they are nor where they go, and the award is for others or elsewhere.
_NOT_MINE, _ELSEWHERE = 1.2, 0.5
# Facets without which the award is about something else; the others are constraints on the right thing.
_TOPICS = frozenset({"field", "group", "category", "provider", "place"})
_RELATED, _GOOD, _EXACT = 1.0, 2.0, 3.0
_SIBLING_TITLE = 88.0
_GROUPS_APART = frozenset(
    {"women", "disability", "refugee", "orphan", "indigenous", "military", "lgbt", "care"}
)
# Groups that shut everybody else out: an award for them does not suit who did not say to belong.
_CLOSED_GROUPS = _GROUPS_APART | {
    "single_parent", "overseas_chinese", "public_service_family", "worker_family", "farm_family", "illness",
    "emergency", "black", "latino", "minority", "multicultural", "teachers", "alumni",
}  # fmt: skip
_SOON_DAYS, _YEAR_DAYS, _STALE_YEARS = 150, 365, 1


def fit(need: Need, facts: Facts) -> float:
    """0 to 3: how well the award suits, time apart."""
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
    if name == "field" and (facts.is_flagship or (facts.any_field and (need.group or need.provider))):
        return _BROAD_FIELD
    if (
        name == "nationality"
        and facts.hosts
        and need.nationality not in facts.hosts
        and not facts.is_flagship
    ):
        return _FOREIGN  # an award of the country itself that does not speak of foreigners
    if name == "group" and need.group in REGIONS and facts.nationalities and ANY in facts.nationalities:
        return _FOREIGN  # open to all, and not meant for them in particular
    return _SILENT[name]


def _shut(need: Need, facts: Facts) -> float:
    """How much the record is for other people than the asker says to be."""
    others = {trait for trait in facts.traits & _CLOSED_GROUPS if trait != need.group}
    if need.group in facts.traits:
        others -= _CLOSED_GROUPS - _GROUPS_APART
    cost = 0.8 * min(len(others), 2)
    if (
        need.nationality is None
        and need.country is None
        and facts.nationalities
        and ANY not in facts.nationalities
    ):
        cost += 0.3  # who may apply is narrow, and the asker did not say to be among them
    if need.place is None and facts.places and facts.hosts and not need.provider:
        cost += 0.2
    return cost


def _strange(need: Need, facts: Facts) -> float:
    """How unlikely it is that somebody who writes in this language, and says no more, may apply."""
    stated = facts.nationalities
    narrow = stated is not None and ANY not in stated
    if not need.homes:
        return 0.3 if narrow and need.country is None else 0.0
    if narrow and stated is not None and not stated & need.homes:
        return _NOT_MINE
    if (
        need.country is None
        and facts.hosts
        and not facts.hosts & need.homes
        and "international" not in facts.traits
    ):
        return _ELSEWHERE
    return 0.0


def _verdicts(need: Need, facts: Facts) -> Iterable[tuple[str, str]]:
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


def _among(wanted: str, stated: frozenset[str] | None) -> str:
    if not stated:
        return "silent"
    return "fits" if wanted in stated else "misses"


def _nationality(need: Need, facts: Facts) -> str:
    stated, asked = facts.nationalities, need.nationality
    if need.is_abroad and facts.hosts == frozenset({asked}) and not facts.traits & {"abroad", "exchange"}:
        return "misses"  # an award at home for somebody who wants to leave
    if stated:
        return "fits" if ANY in stated or asked in stated else "misses"
    if "international" in facts.traits:
        return "misses" if facts.hosts == frozenset({asked}) else "fits"
    if "domestic" in facts.traits and facts.hosts:
        return "fits" if asked in facts.hosts else "misses"
    return "silent"


def _field(wanted: str, facts: Facts) -> str:
    if facts.any_field or not facts.fields:
        return "silent"
    # A broader code takes in the asker's field, a narrower one is part of what they asked.
    near = any(field.startswith(wanted) or wanted.startswith(field) for field in facts.fields)
    return "fits" if near else "misses"


def _group(wanted: str, facts: Facts) -> str:
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
    return "misses" if facts.traits & _CLOSED_GROUPS else "silent"


def _is_only_at_home(facts: Facts) -> bool:
    return facts.nationalities is not None and facts.nationalities == facts.hosts


def _coverage(wanted: str, facts: Facts) -> str:
    stated = facts.coverage
    if not stated:
        return "silent"
    enough = {"full"} if wanted == "full" else {"full", wanted}
    if wanted == "full" and {"tuition", "living"} <= stated:
        return "fits"
    return "fits" if stated & enough else "misses"


def _place(wanted: str, facts: Facts) -> str:
    if not facts.places:
        return "silent"
    return "fits" if wanted in facts.places else "misses"


# --- names --------------------------------------------------------------------------------------------


def is_same_programme(one: Facts, other: Facts) -> bool:
    """Whether two records are rounds or copies of one programme: the same title, and givers that do not differ."""
    if one.title_key != other.title_key:
        return False
    givers = one.provider_key, other.provider_key
    return not all(givers) or fuzz.token_set_ratio(*givers) >= _SIBLING_TITLE


def is_sibling(one: Facts, other: Facts) -> bool:
    """Whether two records share a family of names without being one programme."""
    if one.title_key == other.title_key:
        return True
    same_giver = bool(one.provider_key) and one.provider_key == other.provider_key
    return same_giver and fuzz.token_sort_ratio(one.title_key, other.title_key) >= _SIBLING_TITLE


# --- time ---------------------------------------------------------------------------------------------


def standing(
    facts: Facts, rounds: Sequence[Facts], as_of: datetime, intent: TimeIntent, *, named: bool
) -> float:
    """0 to 3: whether one can still apply, as the question means it.

    rounds: all records of the programme, this one among them. named: the question names the programme, so that its
    newest round tells something even when it is over.
    """
    shown = availability(facts.document.windows, as_of)
    if intent.kind == "deadline_question":
        return _answers_when(facts, shown, rounds, as_of, named=named)
    plain = _plain_standing(facts, shown, rounds, as_of, named=named)
    if intent.kind == "open_now":
        return min(
            plain, {"open": 3.0, "rolling": 3.0, "unknown": 2.0, "upcoming": 1.6, "closed": 1.0}[shown.state]
        )
    if intent.kind == "past":
        return _past(shown, intent, plain)
    if intent.kind == "period":
        return min(plain, _in_period(shown, intent))
    return plain


def _plain_standing(
    facts: Facts, shown: Availability, rounds: Sequence[Facts], as_of: datetime, *, named: bool
) -> float:
    states = {other.doc_id: availability(other.document.windows, as_of) for other in rounds}
    match shown.state:
        case "open":
            return _open(shown)
        case "rolling":
            return 2.9
        case "upcoming":
            return _upcoming(facts, shown, states, as_of.date()) + (0.2 if named else 0.0)
        case "closed":
            alive = any(state.state != "closed" for state in states.values())
            return (
                1.8 if named and not alive and _comes_back(rounds) and _is_last(facts, rounds) else _RELATED
            )
        case _:
            if _is_stale(facts, as_of.date()):
                return 1.3
            return 2.4 if shown.expected_on else 2.5


def _open(shown: Availability) -> float:
    """What closes in more than a year, and does not say that it is open already, is rather the round after next."""
    window = shown.window
    if shown.days_left is None or (window and window.opens_on) or shown.days_left <= _YEAR_DAYS:
        return _EXACT
    return 2.3 if shown.days_left <= 2 * _YEAR_DAYS else _GOOD


def _upcoming(facts: Facts, shown: Availability, states: Mapping[str, Availability], today: date) -> float:
    """The nearest next round counts fully; the round after it within a year is good; a further one is related."""
    window = shown.window
    opens = window.opens_on if window and window.opens_on else today
    wait = (opens - today).days
    others = [state for doc_id, state in states.items() if doc_id != facts.doc_id]
    if any(state.state in ("open", "rolling") for state in others):
        return _GOOD if wait <= _YEAR_DAYS else _RELATED
    nearer = any(
        state.state == "upcoming" and state.window and state.window.opens_on and state.window.opens_on < opens
        for state in others
    )
    if nearer:
        return _GOOD if wait <= _YEAR_DAYS else _RELATED
    if wait <= _SOON_DAYS:
        return 2.5
    return _GOOD if wait <= _YEAR_DAYS else _RELATED


def _answers_when(
    facts: Facts, shown: Availability, rounds: Sequence[Facts], as_of: datetime, *, named: bool
) -> float:
    """The record that gives the day of the running or next round answers; a record without days does not."""
    plain = _plain_standing(facts, shown, rounds, as_of, named=named)
    if shown.state == "unknown":
        return 2.6 if shown.expected_on else min(plain, 1.9)
    return plain


def _in_period(shown: Availability, intent: TimeIntent) -> float:
    """Whether the last day lies in the stretch asked for; being open somewhere in it is less."""
    if shown.state == "rolling":
        return 2.8
    closing = _closing(shown)
    if closing is None:
        return _GOOD
    if (intent.start is None or intent.start <= closing) and (intent.end is None or closing <= intent.end):
        return _EXACT if shown.state != "unknown" else 2.6
    opens = shown.window.opens_on if shown.window else None
    if (
        intent.end
        and closing > intent.end
        and shown.state == "open"
        and (opens is None or opens <= intent.end)
    ):
        return 2.0  # can be applied for by then, though it stays open for longer
    return 1.2


def _past(shown: Availability, intent: TimeIntent, plain: float) -> float:
    """A named year that is over: its own round is what was named; what is open now is the next best."""
    closing = shown.window.deadline_on if shown.window else None
    if intent.start is None and intent.end is None:
        return _EXACT if shown.state == "closed" else 2.4
    if closing and (intent.start or date.min) <= closing <= (intent.end or date.max):
        return 2.4
    return min(plain, 2.5)


def _closing(shown: Availability) -> date | None:
    if shown.state == "unknown":
        return shown.expected_on
    return shown.window.deadline_on if shown.window else None


def _is_stale(facts: Facts, today: date) -> bool:
    """Whether an undated record names a year that is over."""
    years = [int(w.cycle[:4]) for w in facts.document.windows if w.cycle and w.cycle[:4].isdigit()]
    return bool(years) and max(years) + _STALE_YEARS < today.year and not _recurs(facts.document.windows)


def _recurs(windows: Iterable[Window]) -> bool:
    return any(window.kind == "recurring" for window in windows)


def _comes_back(rounds: Sequence[Facts]) -> bool:
    """Whether the programme plainly recurs: rounds of several years are known."""
    return len({day.year for facts in rounds for day in _days(facts)}) > 1


def _is_last(facts: Facts, rounds: Sequence[Facts]) -> bool:
    own = max(_days(facts), default=date.min)
    return all(max(_days(other), default=date.min) <= own for other in rounds)


def _days(facts: Facts) -> list[date]:
    return [window.deadline_on for window in facts.document.windows if window.deadline_on]


# --- both ---------------------------------------------------------------------------------------------


def grade(need: Need, facts: Facts, rounds: Sequence[Facts], as_of: datetime) -> float:
    """0 to 3 in steps of 0.1: the award's fit, held down by what time leaves of it."""
    return together(fit(need, facts), standing(facts, rounds, as_of, need.intent, named=bool(need.names)))


def together(suits: float, stands: float) -> float:
    """The grade of an award that suits so well and stands so: the first, never above the second by much.

    What is over is related at best, and what only half suits is of less use still once it is over.
    """
    if stands < _GOOD - 0.5:
        held = min(suits, stands) if suits >= _GOOD else suits * stands / _EXACT
    else:
        held = suits * (1.0 - 0.5 * (_EXACT - stands) / _EXACT)
        held = min(held, stands)
    return round(held, 1)
