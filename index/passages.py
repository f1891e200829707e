"""The passages of a snapshot: their texts, whose they are, and which one of a document answers a query best."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from index.analyzer import analyze
from index.textfile import TextFile, open_texts, write_texts
from index.types import Passage, Rows

_TEXTS = "passages.txt"
_OWNERS = "owners.npy"


@dataclass(frozen=True, slots=True)
class Passages:
    """texts: one a passage. owners: (P,) int64 ascending, the document row of each."""

    texts: TextFile
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
