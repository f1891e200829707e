"""Where everything goes when a few documents of a built snapshot are replaced, removed or joined by new ones.

Things lie in ascending order of a text that names them (documents by id, values by themselves), before and after. A
splice says the place of each one afterwards, so that arrays over the built things are mapped, never made anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from index.types import Rows

_T = TypeVar("_T")
_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Splice:
    """The places of n built and m added things among `size`.

    forward: (n,) the place of each built thing, ascending; -1 where it was removed or replaced. placed: (m,) the place
    of each added thing, ascending. Every place from 0 to size - 1 is taken exactly once.
    """

    forward: Rows
    placed: Rows
    size: int

    @staticmethod
    def of(base_ids: Sequence[str], gone: Collection[str], added_ids: Sequence[str]) -> Splice:
        """The splice of `added_ids` into `base_ids`, both ascending, without those `gone` or added anew.

        An id of `gone` that is not in `base_ids` means nothing. Raises ValueError unless `added_ids` ascend.
        """
        if any(not left < right for left, right in pairwise(added_ids)):
            raise ValueError("added ids must ascend")
        size = len(base_ids)
        kept = np.ones(size, np.bool_)
        at = np.array([bisect_left(base_ids, added) for added in added_ids], np.int64)
        for name, place in zip(added_ids, at.tolist(), strict=True):
            if place < size and base_ids[place] == name:
                kept[place] = False
        for name in gone:
            place = bisect_left(base_ids, name)
            if place < size and base_ids[place] == name:
                kept[place] = False
        return Splice.before(kept, at)

    @staticmethod
    def before(kept: NDArray[np.bool_], at: Rows) -> Splice:
        """The splice of the `kept` (n,) built things and added ones, the i-th going before built thing `at[i]`."""
        staying = starts(kept)
        joined = np.cumsum(np.bincount(at, minlength=len(kept) + 1))[: len(kept)]
        forward = np.where(kept, staying[:-1] + joined, -1)
        placed = staying[at] + np.arange(len(at))
        return Splice(forward, placed, int(staying[-1]) + len(at))

    @property
    def kept(self) -> Rows:
        """(k,) the built things that stay, ascending."""
        return np.flatnonzero(self.forward >= 0)

    @property
    def sources(self) -> Rows:
        """(size,) what stands at each place: built thing i as i, added thing j as n + j."""
        sources = np.empty(self.size, np.int64)
        kept = self.kept
        sources[self.forward[kept]] = kept
        sources[self.placed] = len(self.forward) + np.arange(len(self.placed))
        return sources

    def listed(self, base: Sequence[_T], added: Sequence[_T]) -> list[_T]:
        """The `size` things of `base` (n) and `added` (m) at their places."""
        both = [*base, *added]
        return [both[source] for source in self.sources.tolist()]

    def merged(self, base: NDArray[_Scalar], added: NDArray[_Scalar]) -> NDArray[_Scalar]:
        """(size, …) the rows of `base` (n, …) and of `added` (m, …) at their places."""
        merged = np.empty((self.size, *base.shape[1:]), base.dtype)
        kept = self.kept
        merged[self.forward[kept]] = base[kept]
        merged[self.placed] = added
        return merged

    def parts(self, base_starts: Rows, added_starts: Rows) -> Splice:
        """The splice of the parts of these things, the parts of one side by side.

        base_starts: (n + 1,) the parts of built thing i are base_starts[i] to base_starts[i + 1].
        added_starts: (m + 1,) those of the added things likewise.
        """
        begins = starts(self.merged(np.diff(base_starts), np.diff(added_starts)))
        forward = _places(self.forward, base_starts, begins)
        return Splice(forward, _places(self.placed, added_starts, begins), int(begins[-1]))


class Spliced(Sequence[_T]):
    """The things of two sequences at their places, looked up where they are."""

    def __init__(self, splice: Splice, base: Sequence[_T], added: Sequence[_T]) -> None:
        self._base, self._added, self._sources = base, added, splice.sources

    def __len__(self) -> int:
        return len(self._sources)

    @overload
    def __getitem__(self, at: int) -> _T: ...
    @overload
    def __getitem__(self, at: slice) -> list[_T]: ...
    def __getitem__(self, at: int | slice) -> _T | list[_T]:
        """What stands at place `at`. Raises IndexError outside 0 .. len-1."""
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(f"nothing at {at}; there are {len(self)}")
        source, built = int(self._sources[at]), len(self._base)
        return self._base[source] if source < built else self._added[source - built]


def starts(lengths: NDArray[np.generic]) -> Rows:
    """(n + 1,) where each of n stretches lying side by side begins, and where the last one ends."""
    begins = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=begins[1:])
    return begins


def _places(things: Rows, part_starts: Rows, begins: Rows) -> Rows:
    """The place of each part when the parts of thing i begin at `begins[things[i]]`; -1 where the thing is -1."""
    lengths = np.diff(part_starts)
    owners = np.repeat(things, lengths)
    within = np.arange(len(owners)) - np.repeat(part_starts[:-1], lengths)
    return np.where(owners >= 0, begins[owners] + within, -1)
