"""The passages of a snapshot: their texts, whose they are, and which one of a document answers a query best."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from index.analyzer import analyze
from index.splice import Splice, Spliced, starts
from index.textfile import open_texts, write_texts
from index.types import Passage, Rows

_TEXTS = "passages.txt"
_OWNERS = "owners.npy"


@dataclass(frozen=True, slots=True)
class Passages:
    """texts: one a passage. owners: (P,) int64 ascending, the document row of each."""

    texts: Sequence[str]
    owners: Rows

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, position: int) -> Passage:
        """The passage at a position."""
        row = int(self.owners[position])
        return Passage(row, position - int(np.searchsorted(self.owners, row)), self.texts[position])

    def best(self, row: int, terms: AbstractSet[str], language: str | None) -> Passage:
        """The passage of document `row` that holds most of `terms`; the first one on a tie."""
        start, end = (int(at) for at in np.searchsorted(self.owners, [row, row + 1]))
        if end - start == 1 or not terms:
            return Passage(row, 0, self.texts[start])
        held = [len(terms & set(analyze(self.texts[at], language))) for at in range(start, end)]
        ordinal = int(np.argmax(held))
        return Passage(row, ordinal, self.texts[start + ordinal])

    def splice(self, documents: Splice, counts: Rows) -> Splice:
        """Where passages go when documents do; `counts` (m,) are the numbers of passages of the added documents."""
        ours = np.searchsorted(self.owners, np.arange(len(documents.forward) + 1)).astype(np.int64)
        return documents.parts(ours, starts(counts))

    def spliced(self, documents: Splice, passages: Splice, texts: Sequence[str], counts: Rows) -> Passages:
        """These passages and the added `texts`, `counts` (m,) of each added document, at their new places."""
        owners = passages.merged(documents.forward[self.owners], np.repeat(documents.placed, counts))
        return Passages(Spliced(passages, self.texts, texts), owners)

    @staticmethod
    def write(folder: Path, texts: list[str], owners: Rows) -> None:
        """Nothing; writes the passages into `folder`."""
        write_texts(folder / _TEXTS, texts)
        np.save(folder / _OWNERS, owners, allow_pickle=False)

    @staticmethod
    def open(folder: Path) -> Passages:
        """The passages in `folder`, memory-mapped."""
        return Passages(
            open_texts(folder / _TEXTS), np.load(folder / _OWNERS, mmap_mode="r", allow_pickle=False)
        )
