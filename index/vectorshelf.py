"""Books of vectors, looked into without being loaded: what a running service needs of them.

A `VectorBook` holds every vector it knows in memory, which a build needs and a service cannot afford. A shelf keeps
eight bytes a known passage, reads the few vectors it is asked for from disk, and sees what other processes add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.vectorbook import Half, key_of, write_chunk

_SMALL = 512
_FEW = 16


class VectorShelf:
    """The books of one encoder under `folders`; new vectors go to the first one."""

    def __init__(self, fingerprint: str, folders: Sequence[Path]) -> None:
        self._places = tuple(folder / fingerprint for folder in folders)
        self._heads: dict[Path, NDArray[np.uint64]] = {}

    def find(self, texts: Sequence[str]) -> dict[str, Half]:
        """(D,) float16 of each text that some book holds; the other texts are not among the keys."""
        wanted = {key_of(text): text for text in texts}
        found: dict[str, Half] = {}
        if not wanted:
            return found
        self._look()
        heads = np.unique(np.frombuffer(b"".join(key[:8] for key in wanted), np.uint64))
        for path, known in self._heads.items():
            rows = np.flatnonzero(np.isin(known, heads))
            if len(rows):
                with suppress(
                    FileNotFoundError
                ):  # merged into another chunk meanwhile: a later look finds it
                    found.update(_read(path, rows, wanted))
        return found

    def add(self, texts: Sequence[str], vectors: Half) -> None:
        """Nothing; the vectors (n, D) of `texts` are on disk, for this process, its neighbours and the next start."""
        write_chunk(self._places[0], [key_of(text) for text in texts], vectors)

    def merge(self) -> int:
        """How many small chunks of the first book became one; 0 when there are too few to be worth it.

        Only one process may merge at a time. The merged chunk is there before the small ones go.
        """
        small = [
            (path, keys)
            for path in sorted(self._places[0].glob("*.keys.npy"))
            if len(keys := np.load(path, allow_pickle=False)) < _SMALL
        ]
        if len(small) < _FEW:
            return 0
        known: dict[bytes, Half] = {}
        for path, keys in small:
            vectors = np.load(_vectors_of(path), allow_pickle=False)
            known.update(zip(map(bytes, keys), vectors, strict=True))
        write_chunk(self._places[0], list(known), np.stack(list(known.values())))
        for path, _ in small:
            path.unlink()
            _vectors_of(path).unlink()
        return len(small)

    def _look(self) -> None:
        """Nothing; what is on disk now is known, what has gone is forgotten."""
        there = {path for place in self._places for path in place.glob("*.keys.npy")}
        for path in self._heads.keys() - there:
            del self._heads[path]
        for path in sorted(there - self._heads.keys()):
            with suppress(FileNotFoundError):
                keys = np.load(path, allow_pickle=False)
                self._heads[path] = np.ascontiguousarray(keys[:, :8]).view(np.uint64).ravel()


def _read(path: Path, rows: NDArray[np.int64], wanted: Mapping[bytes, str]) -> dict[str, Half]:
    """The vectors at `rows` of a chunk whose whole keys are wanted."""
    keys = np.load(path, mmap_mode="r", allow_pickle=False)
    vectors = np.load(_vectors_of(path), mmap_mode="r", allow_pickle=False)
    texts = {row: wanted.get(keys[row].tobytes()) for row in rows.tolist()}
    return {text: np.array(vectors[row]) for row, text in texts.items() if text is not None}


def _vectors_of(path: Path) -> Path:
    return path.with_name(path.name.replace(".keys.", ".vectors."))
