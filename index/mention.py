"""Finding entities in a query: the longest surfaces first, each stretch of the query used once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import Stemmer

from index.analyzer import fold
from index.language import script
from index.lexicon import Entity

_WORD = re.compile(r"[^\W_]+")
_MAX_WORDS = 12
_MAX_HAN = 20
# An abbreviation this short is also a word ("if", "nos"): it counts only when typed in capitals.
_SHORT = 3
# Korean writes particles onto the noun, so a Hangul word matches by its beginning; one syllable would match anything.
_MIN_HANGUL = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the query that names an entity, or several that share the surface."""

    surface: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Surfaces by their key; see `key`."""

    by_key: Mapping[tuple[str, ...], tuple[Entity, ...]]
    capitals_only: frozenset[tuple[str, ...]]

    @staticmethod
    def of(entities: Iterable[Entity]) -> Names:
        """The surfaces of `entities`; a surface may belong to several."""
        return Names(MappingProxyType({}), frozenset()).joined(entities)

    def joined(self, entities: Iterable[Entity]) -> Names:
        """These surfaces and those of `entities`, which come after them."""
        by_key = dict(self.by_key)
        short = set(self.capitals_only)
        for entity in entities:
            for surface in dict.fromkeys(entity.surfaces):
                found = key(surface)
                held = by_key.get(found, ())
                if not found or entity in held:
                    continue
                by_key[found] = (*held, entity)
                if not (surface.isascii() and surface.isupper() and len(surface) <= _SHORT):
                    short.discard(found)
                elif not held:
                    short.add(found)
        return Names(MappingProxyType(by_key), frozenset(short))

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The entities named in `text`, in the order they stand there."""
        words = list(_words(text))
        keys = [_key_of(word) for word in words]
        found: list[Mention] = []
        at = 0
        while at < len(words):
            size = self._longest(words, keys, at)
            if size:
                run = words[at : at + size]
                found.append(Mention(_join(run), self._entities(run, keys[at : at + size])))
            at += size or 1
        return tuple(found)

    def _longest(self, words: Sequence[str], keys: Sequence[str], at: int) -> int:
        limit = _MAX_HAN if script(words[at][0]) == "han" else _MAX_WORDS
        for size in range(min(limit, len(words) - at), 0, -1):
            if self._entities(words[at : at + size], keys[at : at + size]):
                return size
        return 0

    def _entities(self, run: Sequence[str], keys: Sequence[str]) -> tuple[Entity, ...]:
        """The entities of a run of words, in the form it is typed in; `keys` are what the words are looked up by."""
        found = tuple(keys)
        if found in self.by_key:
            if found in self.capitals_only and not run[0].isupper():
                return ()
            return self.by_key[found]
        if len(run) == 1 and script(run[0][0]) == "hangul":
            for end in range(len(found[0]) - 1, _MIN_HANGUL - 1, -1):
                if held := self.by_key.get((found[0][:end],)):
                    return held
        return ()


@lru_cache(maxsize=1 << 16)  # the names of a collection, which are joined again at every edit of it
def key(surface: str) -> tuple[str, ...]:
    """What a surface is looked up by: folded words, English-stemmed, and Han one character each."""
    return tuple(_key_of(word) for word in _words(surface))


def _words(text: str) -> Iterator[str]:
    """Words as typed; Han characters one by one, because Chinese does not say where a word ends."""
    for word in _WORD.findall(text):
        run = ""
        for character in word:
            if script(character) == "han":
                if run:
                    yield run
                yield character
                run = ""
            else:
                run += character
        if run:
            yield run


def _key_of(word: str) -> str:
    folded = fold(word)
    if not folded.isascii():
        return folded
    stem: str = Stemmer.Stemmer("english").stemWord(folded)
    return stem


def _join(run: Sequence[str]) -> str:
    han = all(script(word[0]) == "han" for word in run)
    return ("" if han else " ").join(run)
