"""Many texts in one file, read by position: a memory-mapped UTF-8 blob and the offsets of its parts."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray


class TextFile(Sequence[str]):
    """The texts of one file, decoded when asked for; nothing is held in memory but the map."""

    def __init__(self, data: bytes | mmap.mmap, offsets: NDArray[np.int64]) -> None:
        self._data = data
        self._offsets = offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        """The text at position `at`. Raises IndexError outside 0 .. len-1: a negative position is a mistake here."""
        if isinstance(at, slice):
            return [self[position] for position in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(f"no text at {at}; there are {len(self)}")
        return self._data[self._offsets[at] : self._offsets[at + 1]].decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return (self[at] for at in range(len(self)))


def write_texts(path: Path, texts: Iterable[str]) -> int:
    """How many texts were written to `path` and its offsets beside it (`.offsets.npy`)."""
    offsets = [0]
    with path.open("wb") as file:
        for text in texts:
            offsets.append(offsets[-1] + file.write(text.encode("utf-8")))
    np.save(_offsets_path(path), np.asarray(offsets, np.int64), allow_pickle=False)
    return len(offsets) - 1


def open_texts(path: Path) -> TextFile:
    """The texts of `path`, memory-mapped."""
    offsets = np.load(_offsets_path(path), mmap_mode="r", allow_pickle=False)
    if not path.stat().st_size:  # an empty file cannot be mapped
        return TextFile(b"", offsets)
    with path.open("rb") as file:
        return TextFile(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), offsets)


def _offsets_path(path: Path) -> Path:
    return path.with_name(path.name + ".offsets.npy")
