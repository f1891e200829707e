"""One fact of all documents (their countries, levels, providers …) as rows by value: for masks and counts."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from index.splice import Splice, starts
from index.types import Mask


@dataclass(frozen=True, slots=True)
class Attribute:
    """The rows of each value of one fact.

    values: V texts in ascending order; a value's position is its code. folded: the same, for comparing text.
    starts: (V + 1,); the rows of code c are rows[starts[c]:starts[c + 1]], ascending.
    stated: (n,) whether a document states the fact at all.
    """

    values: tuple[str, ...]
    folded: tuple[str, ...]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    stated: Mask

    @classmethod
    def of(cls, documents: Sequence[Iterable[str] | None]) -> Self:
        """The attribute whose row r states `documents[r]`; None or nothing means "not stated"."""
        by_value: dict[str, list[int]] = {}
        stated = np.zeros(len(documents), np.bool_)
        for row, stated_values in enumerate(documents):
            for value in dict.fromkeys(stated_values or ()):
                by_value.setdefault(value, []).append(row)
                stated[row] = True
        values = sorted(by_value)
        counts = [len(by_value[value]) for value in values]
        rows = np.array([row for value in values for row in by_value[value]], np.int32)
        return cls.read(values, starts(np.array(counts, np.int64)), rows, stated)

    @classmethod
    def read(
        cls, values: Iterable[str], starts: NDArray[np.int64], rows: NDArray[np.int32], stated: Mask
    ) -> Self:
        """The attribute of stored columns."""
        told = tuple(values)
        return cls(told, tuple(fold(value) for value in told), starts, rows, stated)

    def spliced(self, splice: Splice, added: Attribute) -> Self:
        """The attribute of these documents and of those `added`, at their new rows."""
        rows = splice.forward[self.rows]
        stays = rows >= 0
        codes = np.repeat(np.arange(len(self.values)), np.diff(self.starts))[stays]
        known = [self.code(value) for value in added.values]
        fresh = [at for at, code in enumerate(known) if code is None]
        held = np.bincount(codes, minlength=len(self.values)) > 0
        held[[code for code in known if code is not None]] = True
        new = [added.values[at] for at in fresh]
        names = Splice.before(held, np.array([bisect_left(self.values, value) for value in new], np.int64))
        recoded = np.array([-1 if code is None else names.forward[code] for code in known], np.int64)
        recoded[fresh] = names.placed
        # A value's rows in one number each: both sides ascend, so one merge keeps the order.
        ours = names.forward[codes] * splice.size + rows[stays]
        theirs = np.repeat(recoded, np.diff(added.starts)) * splice.size + splice.placed[added.rows]
        merged = np.insert(ours, np.searchsorted(ours, theirs), theirs)
        return type(self)(
            values=tuple(names.listed(self.values, new)),
            folded=tuple(names.listed(self.folded, [added.folded[at] for at in fresh])),
            starts=starts(np.bincount(merged // max(splice.size, 1), minlength=names.size)),
            rows=(merged % max(splice.size, 1)).astype(np.int32),
            stated=splice.merged(self.stated, added.stated),
        )

    def code(self, value: str) -> int | None:
        """The code of a value, None when no document has it."""
        at = bisect_left(self.values, value)
        return at if at < len(self.values) and self.values[at] == value else None

    def having(self, values: Iterable[str]) -> Mask:
        """(n,) whether a document has any of `values`."""
        return self.having_codes(code for code in map(self.code, values) if code is not None)

    def having_codes(self, codes: Iterable[int]) -> Mask:
        """(n,) whether a document has any value of these codes."""
        wanted = np.zeros(len(self.values), np.bool_)
        wanted[list(codes)] = True
        found = np.zeros(len(self.stated), np.bool_)
        found[self.rows[np.repeat(wanted, np.diff(self.starts))]] = True
        return found

    def counts(self, chosen: Mask) -> NDArray[np.int64]:
        """(V,) how many of the `chosen` (n,) documents have each value."""
        if not self.values:
            return np.zeros(0, np.int64)
        # Every value has a row, so no segment is empty, which reduceat would misread.
        return np.add.reduceat(chosen[self.rows], self.starts[:-1], dtype=np.int64)


def fold(text: str) -> str:
    """`text` with width and case made uniform, for comparing."""
    return unicodedata.normalize("NFKC", text).casefold()
