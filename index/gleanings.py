"""What the alias leg learns from documents, kept by document, so that it can unlearn an edited one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path

import numpy as np

from index.abbreviation import abbreviations, explained
from index.document import Document
from index.lexicon import Entity
from index.spelling import Spelling, name_words
from index.splice import Splice
from index.types import Rows

_TEXTS = "alias.json"
_HELD = "held.npy"


@dataclass(frozen=True, slots=True)
class Gleaned:
    """What one document teaches: the (long form, abbreviation) it explains, and the words of its names, ascending."""

    abbreviations: tuple[tuple[str, str], ...]
    words: tuple[str, ...]

    @staticmethod
    def of(document: Document) -> Gleaned:
        """What `document` teaches."""
        return Gleaned(explained(document), tuple(sorted(name_words(document))))


@dataclass(frozen=True, slots=True, eq=False)
class Gleanings:
    """What the documents of a collection teach.

    stated: (row, long form, abbreviation), ascending by row, within a row as they stand there. held: (2, p) the number
    of a word in `vocabulary`, and the row of a document that has the word in a name. A word of `vocabulary` may have
    lost all of its holders.
    """

    stated: tuple[tuple[int, str, str], ...]
    vocabulary: tuple[str, ...]
    held: Rows

    @staticmethod
    def of(gleaned: Sequence[Gleaned]) -> Gleanings:
        """What documents teach, `gleaned` row by row."""
        vocabulary = tuple(sorted(set(chain.from_iterable(one.words for one in gleaned))))
        number = {word: at for at, word in enumerate(vocabulary)}
        words = [number[word] for one in gleaned for word in one.words]
        rows = np.repeat(np.arange(len(gleaned)), [len(one.words) for one in gleaned])
        stated = tuple((row, *pair) for row, one in enumerate(gleaned) for pair in one.abbreviations)
        return Gleanings(stated, vocabulary, np.array([words, rows], np.int64))

    def spliced(self, splice: Splice, gleaned: Sequence[Gleaned]) -> Gleanings:
        """What is taught by the documents that stay, and by added ones, `gleaned` one by one."""
        added = Gleanings.of(gleaned)
        number = {word: at for at, word in enumerate(self.vocabulary)}
        renumbered = np.array([number.setdefault(word, len(number)) for word in added.vocabulary], np.int64)
        words, rows = self.held
        moved = splice.forward[rows]
        stays = moved >= 0
        kept = np.stack([words[stays], moved[stays]])
        joined = np.stack([renumbered[added.held[0]], splice.placed[added.held[1]]])
        stated = [
            (int(places[row]), long, short)
            for places, one in ((splice.forward, self), (splice.placed, added))
            for row, long, short in one.stated
            if places[row] >= 0
        ]
        stated.sort(key=itemgetter(0))  # stable: the order within a document stays
        return Gleanings(tuple(stated), tuple(number), np.concatenate([kept, joined], axis=1))

    def entities(self) -> tuple[Entity, ...]:
        """The abbreviations as entities."""
        return tuple(abbreviations((long, short) for _, long, short in self.stated))

    def spelling(self) -> Spelling:
        """The words of names."""
        counts = np.bincount(self.held[0], minlength=len(self.vocabulary)).tolist()
        return Spelling.ranked(dict(zip(self.vocabulary, counts, strict=True)))

    def save(self, folder: Path) -> None:
        """Nothing; writes what was learned into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"abbreviations": self.stated, "words": self.vocabulary}, ensure_ascii=False)
        (folder / _TEXTS).write_text(text, encoding="utf-8")
        np.save(folder / _HELD, self.held.astype(np.int32))

    @staticmethod
    def load(folder: Path) -> Gleanings:
        """What was learned, from `folder`."""
        text = json.loads((folder / _TEXTS).read_text(encoding="utf-8"))
        stated = tuple((row, long, short) for row, long, short in text["abbreviations"])
        return Gleanings(stated, tuple(text["words"]), np.load(folder / _HELD).astype(np.int64))
