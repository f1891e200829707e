"""Whether an award is what the words of a query ask for, as numbers a reranker can read.

The shipped tables say which levels, countries and topics a text names, in eight languages. A query's are compared
with an award's: fields where it states them, its title and portrait where it does not. What a query does not ask for
is 0 everywhere, and so is what an award leaves open: silence is no clash.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from index.countries import ANY
from index.document import Document
from index.lexicon import entities
from index.mention import Names

Fit = NDArray[np.float32]

FIT_FEATURES: tuple[str, ...] = (
    "level_fits",  # 0/1: a level asked for is stated
    "level_clashes",  # 0/1: levels are stated, and none that is asked for
    "level_told",  # 0/1: no level is stated, but the text speaks of one that is asked for
    "places_named",  # 0/1: every country asked for is stated or spoken of
    "places_missing",  # 0/1: none of the countries asked for is
    "host_clashes",  # 0/1: host countries are stated, and none is asked for
    "nationality_clashes",  # 0/1: nationalities are stated, and none of the other countries asked for is among them
    "topics_named",  # 0 to 1: how many of the topics asked for the text speaks of
    "topics_in_title",  # 0 to 1: how many the title speaks of
    "topics_missing",  # 0/1: none of them
    "group_unasked",  # 0/1: the title is for a group (women, refugees …) that the query does not name
)
"""The features, in order."""

_VERSION = 1
_TOPICS = frozenset({"field", "group", "region", "coverage", "activity"})
_ALSO = {"mba": "master"}  # who asks for this asks for that level too


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names: levels and topics by concept, groups among the topics, countries by ISO code."""

    levels: frozenset[str] = frozenset()
    countries: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()


NOTHING = Named()


def named(text: str) -> Named:
    """The levels, countries and topics that `text` names."""
    levels, countries, topics, groups = set[str](), set[str](), set[str](), set[str]()
    for mention in _names().mentions(text):
        for entity in mention.entities:
            if entity.kind == "country" and entity.country:
                countries.add(entity.country)
            elif entity.facet == "level":
                levels.update((entity.name, _ALSO.get(entity.name, entity.name)))
            elif entity.facet in _TOPICS:
                topics.add(entity.name)
                if entity.facet == "group":
                    groups.add(entity.name)
    return Named(frozenset(levels), frozenset(countries), frozenset(topics), frozenset(groups))


def fit(asked: Named, document: Document, portrait: str) -> Fit:
    """(F,) float32 in the order of `FIT_FEATURES`, each in [0, 1]; `portrait` is the text a reranker reads."""
    title, text = _named(document.title), _named(portrait)
    found = {
        **_level(asked, frozenset(document.levels or ()) | title.levels, text),
        **_place(asked, document, text),
        **_topic(asked, title, text),
    }
    return np.fromiter((found.get(name, 0.0) for name in FIT_FEATURES), np.float32, len(FIT_FEATURES))


def fits(asked: Named, pairs: Iterable[tuple[Document, str]]) -> Fit:
    """(n, F) float32: one row a document and its portrait."""
    rows = [fit(asked, document, portrait) for document, portrait in pairs]
    return np.stack(rows) if rows else np.empty((0, len(FIT_FEATURES)), np.float32)


def fit_fingerprint() -> str:
    """Changes with the features and the tables: a network reads only the ones it was trained on."""
    surfaces = [entity.surfaces for entity in entities() if entity.kind != "programme"]
    return f"fit-{sha256(repr((_VERSION, FIT_FEATURES, surfaces)).encode()).hexdigest()[:12]}"


def _level(asked: Named, stated: frozenset[str], text: Named) -> dict[str, float]:
    if not asked.levels:
        return {}
    if stated:
        fits_one = bool(asked.levels & stated)
        return {"level_fits": float(fits_one), "level_clashes": float(not fits_one)}
    return {"level_told": float(bool(asked.levels & text.levels))}


def _place(asked: Named, document: Document, text: Named) -> dict[str, float]:
    if not asked.countries:
        return {}
    hosts = frozenset(document.host_countries or ())
    citizens = frozenset(document.eligible_nationalities or ())
    known = hosts | citizens | text.countries
    may_come = citizens if ANY not in citizens else asked.countries
    abroad = asked.countries - hosts  # where the asker may be from
    return {
        "places_named": float(asked.countries <= known),
        "places_missing": float(not asked.countries & known),
        "host_clashes": float(bool(hosts) and not asked.countries & (hosts | may_come)),
        "nationality_clashes": float(bool(citizens and abroad) and not abroad & may_come),
    }


def _topic(asked: Named, title: Named, text: Named) -> dict[str, float]:
    found = {"group_unasked": float(bool(title.groups - asked.groups))}
    if asked.topics:
        count = len(asked.topics)
        told = asked.topics & (text.topics | title.topics)
        found |= {
            "topics_named": len(told) / count,
            "topics_in_title": len(asked.topics & title.topics) / count,
            "topics_missing": float(not told),
        }
    return found


@lru_cache(maxsize=1)
def _names() -> Names:
    """Everything but programmes: those are the alias leg's."""
    return Names.of(entity for entity in entities() if entity.kind != "programme")


# Reading a text costs more than comparing what it names, and documents come back query after query.
_named = lru_cache(maxsize=32768)(named)
