"""Records to write queries from and to draw candidates from: a first stage, the facts of its rows, its programmes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from index.document import Document
from training.first_stage import FirstStage
from training.synthesis.facts import Facts, all_facts
from training.synthesis.kinship import is_same_programme, is_sibling
from training.synthesis.naming import is_known_otherwise
from training.synthesis.telling import Seed

_VALIDATION_SHARE = 0.06
_MOST_FAMILY = 8
# Programmes with other names are few and asked for often.
_ALIASED, _ALIASED_SHARE = "aliased", 0.12


@dataclass(frozen=True, slots=True)
class Pool:
    """name: which collection. facts: by row. rounds: row → rows of its programme. families: row → rows named alike."""

    name: str
    first_stage: FirstStage
    facts: tuple[Facts, ...]
    rounds: Mapping[int, tuple[int, ...]]
    unique_titles: frozenset[str]
    seeds: Mapping[str, tuple[int, ...]]
    by_giver: Mapping[str, tuple[int, ...]]
    by_title: Mapping[str, tuple[int, ...]]

    def seed(self, row: int) -> Seed:
        """What a query can be written from: a row, its programme, whether its title is enough to name it."""
        facts = self.facts[row]
        programme = frozenset(self.facts[other].doc_id for other in self.rounds[row])
        is_unique = facts.title_key in self.unique_titles
        has_rivals = len(programme) > 1 or not is_unique or bool(self.family(row))
        return Seed(facts, programme, is_unique, has_rivals or is_known_otherwise(facts))

    def draw(self, language: str, rng: Random) -> int | None:
        """A row to write a query in `language` from, mostly a record in that language; None when there is none."""
        if self.seeds.get(_ALIASED) and rng.random() < _ALIASED_SHARE:
            return rng.choice(self.seeds[_ALIASED])
        share = _OWN_SHARE.get(language, 0.0)
        rows = (
            self.seeds[language]
            if self.seeds.get(language) and rng.random() < share
            else self.seeds.get("", ())
        )
        return rng.choice(rows) if rows else None

    def family(self, row: int) -> tuple[int, ...]:
        """Rows of the same giver, or with the same title, that are named alike: what a hurried reader confuses."""
        facts = self.facts[row]
        own = set(self.rounds[row])
        near = dict.fromkeys(
            (*self.by_giver.get(facts.provider_key, ()), *self.by_title.get(facts.title_key, ()))
        )
        alike = [other for other in near if other not in own and is_sibling(facts, self.facts[other])]
        return tuple(alike[:_MOST_FAMILY])


# How often a query in a language starts from a record in it; elsewhere the record is written in another one.
_OWN_SHARE: Mapping[str, float] = {
    "zh": 0.5, "de": 0.55, "es": 0.6, "ko": 0.7, "sv": 0.7, "pl": 0.7, "fr": 0.1, "en": 0.8,
}  # fmt: skip


def make_pool(name: str, first_stage: FirstStage, twins: Sequence[Document] = ()) -> Pool:
    """The pool over a first stage's documents; `twins` are records that may know more about the same programmes."""
    facts = all_facts(list(first_stage.snapshot.corpus), twins)
    givers: dict[str, set[str]] = defaultdict(set)
    for one in facts:
        givers[one.title_key].add(one.provider_key)
    unique = frozenset(key for key, found in givers.items() if len(found) == 1 and len(key) > 6)
    return Pool(
        name=name,
        first_stage=first_stage,
        facts=facts,
        rounds=_rounds(facts),
        unique_titles=unique,
        seeds=_seeds(facts),
        by_giver=_rows_by(one.provider_key for one in facts),
        by_title=_rows_by(one.title_key for one in facts),
    )


def _rows_by(keys: Iterable[str]) -> dict[str, tuple[int, ...]]:
    rows: dict[str, list[int]] = defaultdict(list)
    for row, key in enumerate(keys):
        if key:
            rows[key].append(row)
    return {key: tuple(found) for key, found in rows.items()}


def is_validation(facts: Facts) -> bool:
    """Whether a programme is kept for validation: by its name, so that its rounds and copies stay together."""
    number = int.from_bytes(sha256(facts.title_key.encode()).digest()[:4], "big")
    return number / 2**32 < _VALIDATION_SHARE


def tally(items: Iterable[str]) -> dict[str, int]:
    """How often each item comes, in descending order."""
    return dict(Counter(items).most_common())


def _rounds(facts: Sequence[Facts]) -> dict[int, tuple[int, ...]]:
    by_title: dict[str, list[list[int]]] = defaultdict(list)
    for row, one in enumerate(facts):
        clusters = by_title[one.title_key]
        for cluster in clusters:
            if is_same_programme(facts[cluster[0]], one):
                cluster.append(row)
                break
        else:
            clusters.append([row])
    return {row: tuple(cluster) for clusters in by_title.values() for cluster in clusters for row in cluster}


def _seeds(facts: Sequence[Facts]) -> dict[str, tuple[int, ...]]:
    """Rows to write from, by language; under "" all. Calls for organisations are not what a student looks for."""
    by_language: dict[str, list[int]] = defaultdict(list)
    for row, one in enumerate(facts):
        if one.is_call:
            continue
        told = sum(bool(part) for part in (one.levels, one.hosts, one.fields, one.traits, one.coverage))
        if is_known_otherwise(one) and one.document.language != "zh":
            by_language[_ALIASED].append(row)
        if told >= 2:
            by_language[""].append(row)
            by_language[one.document.language or "en"].append(row)
    return {language: tuple(rows) for language, rows in by_language.items()}
