"""Passage vectors that are already known, by the text they encode: why nothing is ever encoded twice.

A book is a folder of chunks, each a pair of files (keys, fp16 vectors), for one encoder fingerprint. Encoding appends a
chunk at a time, so an interrupted build goes on where it stopped, a changed catalogue encodes only what changed, and
the package can ship a book so that the first start encodes nothing. Several processes may write to one book.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from threading import get_ident

import numpy as np
from numpy.typing import NDArray

from index.types import Encoder

Half = NDArray[np.float16]
_KEY_BYTES = 16
_CHUNK = 512


class VectorBook:
    """Known vectors of one encoder. `folders` are read in order; the first one is written to."""

    def __init__(self, encoder: Encoder, folders: Sequence[Path]) -> None:
        self._encoder = encoder
        self._home = folders[0] / encoder.fingerprint
        self._known: dict[bytes, Half] = {}
        for folder in folders:
            self._read(folder / encoder.fingerprint)

    def vectors(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Half:
        """(n, D) float16, one row a text; unknown ones are encoded and kept. `progress` gets counts done."""
        keys = [key_of(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if progress:
            progress(len(texts) - len(missing))
        # Chunks of similar length waste little on padding; the order is fixed, so a resumed run makes equal chunks.
        todo = sorted(missing.items(), key=lambda item: (len(item[1]), item[0]))
        for start in range(0, len(todo), _CHUNK):
            self._encode(todo[start : start + _CHUNK])
            if progress:
                progress(len(todo[start : start + _CHUNK]))
        if not keys:
            return np.empty((0, self._encoder.dimension), np.float16)
        return np.stack([self._known[key] for key in keys])

    def export(self, texts: Sequence[str], folder: Path) -> int:
        """Bytes written: one chunk of exactly `texts` under `folder`, replacing what was there for this encoder."""
        target = folder / self._encoder.fingerprint
        shutil.rmtree(target, ignore_errors=True)
        unique = sorted(dict.fromkeys(texts))
        vectors = self.vectors(unique)
        write_chunk(target, [key_of(text) for text in unique], vectors)
        return sum(path.stat().st_size for path in target.iterdir())

    def _encode(self, chunk: Sequence[tuple[bytes, str]]) -> None:
        vectors = self._encoder.encode_passages([text for _, text in chunk]).astype(np.float16)
        keys = [key for key, _ in chunk]
        write_chunk(self._home, keys, vectors)
        self._known.update(zip(keys, vectors, strict=True))

    def _read(self, folder: Path) -> None:
        done: set[Path] = set()
        while left := [path for path in sorted(folder.glob("*.keys.npy")) if path not in done]:
            for path in left:
                done.add(path)
                with suppress(FileNotFoundError):  # merged into another chunk meanwhile, which is read next
                    self._read_chunk(path)

    def _read_chunk(self, path: Path) -> None:
        keys = np.load(path, allow_pickle=False)
        vectors = np.load(path.with_name(path.name.replace(".keys.", ".vectors.")), allow_pickle=False)
        for key, vector in zip(keys, vectors, strict=True):
            self._known.setdefault(key.tobytes(), vector)


def write_chunk(folder: Path, keys: Sequence[bytes], vectors: Half) -> None:
    """Nothing; writes one chunk of a book: `vectors` (n, D) by their `keys`.

    Vectors first, keys last and atomically: a chunk without keys is a crash's remainder and is not read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = blake2b(b"".join(keys), digest_size=8).hexdigest()
    _put(folder / f"{name}.vectors.npy", vectors)
    _put(folder / f"{name}.keys.npy", np.frombuffer(b"".join(keys), np.uint8).reshape(-1, _KEY_BYTES))


def _put(path: Path, values: NDArray[np.generic]) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}.draft")
    with draft.open("wb") as file:
        np.save(file, values, allow_pickle=False)
    draft.replace(path)


def key_of(text: str) -> bytes:
    """What a text's vector is kept under."""
    return blake2b(text.encode("utf-8"), digest_size=_KEY_BYTES).digest()
