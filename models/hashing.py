"""A bi-encoder without weights: hashed character trigrams. The shipped fake that keeps tests fast.

Texts that share trigrams are near each other, so it ranks sensibly on small inputs; it knows no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class HashingEncoder:
    """Implements the `Encoder` protocol of the index; deterministic across processes and machines."""

    name: str = "hashing"
    dimension: int = 64

    @property
    def fingerprint(self) -> str:
        """Changes with the dimension only: there are no weights."""
        return f"hashing-trigram-{self.dimension}"

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """(n, D) float32, unit length."""
        return np.stack([self._encode(text) for text in texts])

    def encode_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vector:
        """(n, D) float32, unit length; `progress` is told once."""
        vectors = np.stack([self._encode(text) for text in texts])
        if progress:
            progress(len(texts))
        return vectors

    def _encode(self, text: str) -> Vector:
        padded = f"  {text.casefold()} "
        vector = np.full(self.dimension, 1e-6, np.float32)  # never the zero vector
        for start in range(len(padded) - 2):
            digest = blake2b(padded[start : start + 3].encode("utf-8", "replace"), digest_size=4).digest()
            vector[int.from_bytes(digest, "little") % self.dimension] += 1.0
        unit: Vector = vector / np.linalg.norm(vector)
        return unit
