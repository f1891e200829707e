"""The alias leg: a query's entities looked up by their *other* names.

"EMJMD" names Erasmus Mundus Joint Masters; "原民會" the Council of Indigenous Peoples; "德国 博士" Germany and the
doctoral level. The leg finds entities in the query (tables shipped with the package, abbreviations that documents
explain, misspelt title words) and scores documents by the best of each entity's names, a name counting only where
all of its words stand: half of a name is another name. Words that name nothing are scored as they are. A query that
names nothing with another name gets nothing from this leg: the lexical leg has said it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from index.analyzer import analyze
from index.document import Document
from index.gleanings import Gleaned, Gleanings
from index.lexical import LexicalLeg
from index.lexicon import entities
from index.mention import Mention, Names
from index.spelling import Spelling
from index.splice import Splice
from index.types import EMPTY, Mask, RankedList, ordered

# An entity whose country the query does not name, beside one whose country it does.
_ELSEWHERE = 0.3


@dataclass(frozen=True, slots=True)
class Bridge:
    """One stretch of the query and the names it is looked up by, each as terms, with what a name's score counts.

    is_name: it names a programme, or an abbreviation that documents explain; not a country, a level or a misspelling.
    """

    surface: str
    name: str
    is_name: bool
    alternatives: tuple[tuple[tuple[str, ...], float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Alias:
    """Entity names over one corpus, and what they were learned from."""

    gleanings: Gleanings
    names: Names
    spelling: Spelling

    @staticmethod
    def build(documents: Iterable[Document]) -> Alias:
        """The names of the shipped tables, and those that `documents` explain, which come in row order."""
        return Alias.of(Gleanings.of([Gleaned.of(document) for document in documents]))

    @staticmethod
    def of(gleanings: Gleanings) -> Alias:
        """The names of the shipped tables, and those of `gleanings`."""
        return Alias(gleanings, _shipped().joined(gleanings.entities()), gleanings.spelling())

    def spliced(self, splice: Splice, gleaned: Sequence[Gleaned]) -> Alias:
        """The leg over the documents that stay and over added ones, `gleaned` one by one."""
        return Alias.of(self.gleanings.spliced(splice, gleaned))

    def bridges(self, text: str, language: str | None, lexical: LexicalLeg) -> tuple[Bridge, ...]:
        """What the query names that documents call otherwise; empty when there is nothing to bridge."""
        mentions = self.names.mentions(text)
        countries = {entity.country for m in mentions for entity in m.entities if entity.kind == "country"}
        bridges = [_bridge(mention, countries, language) for mention in mentions]
        bridges.extend(self._corrections(text, mentions, language, lexical))
        return tuple(bridges) if any(_adds(bridge, language) for bridge in bridges) else ()

    def search(
        self, text: str, language: str | None, lexical: LexicalLeg, depth: int, mask: Mask | None = None
    ) -> tuple[RankedList, tuple[Bridge, ...]]:
        """The best `depth` documents by the other names of what the query names, and those names."""
        bridges = self.bridges(text, language, lexical)
        if not bridges:
            return EMPTY, ()
        total = np.zeros(lexical.documents, np.float32)
        for bridge in bridges:
            best = np.zeros(lexical.documents, np.float32)
            for terms, weight in bridge.alternatives:
                found = lexical.phrase(terms)
                np.maximum.at(best, found.rows, weight * found.scores)
            total += best
        named = total > 0
        for term in _unnamed(text, bridges, language):
            rows, scores = lexical.postings(term)
            total[rows] += scores
        keep = named if mask is None else named & mask
        rows = np.flatnonzero(keep)
        return ordered(rows, total[rows], depth), bridges

    def _corrections(
        self, text: str, mentions: Sequence[Mention], language: str | None, lexical: LexicalLeg
    ) -> Iterator[Bridge]:
        covered = {word for mention in mentions for word in mention.surface.split()}
        for word, corrected in self.spelling.corrections(text, lambda w: bool(_found(w, language, lexical))):
            if word not in covered:
                terms = tuple((tuple(analyze(name, language)), weight) for name, weight in corrected)
                yield Bridge(word, corrected[0][0], is_name=False, alternatives=terms)

    def save(self, folder: Path) -> None:
        """Nothing; writes what was learned from the documents into `folder`."""
        self.gleanings.save(folder)

    @staticmethod
    def load(folder: Path) -> Alias:
        """The leg in `folder`."""
        return Alias.of(Gleanings.load(folder))


@lru_cache(maxsize=1)
def _shipped() -> Names:
    return Names.of(entities())


def _bridge(mention: Mention, countries: set[str | None], language: str | None) -> Bridge:
    """All names of the mention's entities; those of a country the query names count fully, the others less."""
    contested = len({entity.country for entity in mention.entities if entity.country}) > 1
    alternatives: dict[tuple[str, ...], float] = {tuple(analyze(mention.surface, language)): 1.0}
    for entity in mention.entities:
        at_home = not contested or entity.country in countries
        weight = 1.0 if at_home else _ELSEWHERE
        for name in entity.names:
            terms = tuple(analyze(name))
            alternatives[terms] = max(alternatives.get(terms, 0.0), weight)
    alternatives.pop((), None)
    is_name = mention.entities[0].kind in ("programme", "abbreviation")
    return Bridge(mention.surface, mention.entities[0].name, is_name, tuple(alternatives.items()))


def only_names(text: str, bridges: Sequence[Bridge], language: str | None) -> bool:
    """Whether the query is nothing but the name of a programme: every word of it, and no country, level or topic."""
    return bool(bridges) and all(b.is_name for b in bridges) and not _unnamed(text, bridges, language)


def _adds(bridge: Bridge, language: str | None) -> bool:
    typed = tuple(analyze(bridge.surface, language))
    return any(terms != typed for terms, _ in bridge.alternatives)


def _found(word: str, language: str | None, lexical: LexicalLeg) -> bool:
    return any(len(lexical.postings(term)[0]) for term in analyze(word, language))


def _unnamed(text: str, bridges: Iterable[Bridge], language: str | None) -> list[str]:
    """The query's terms that no bridge stands for."""
    named = {term for bridge in bridges for term in analyze(bridge.surface, language)}
    return [term for term in analyze(text, language) if term not in named]
