"""Universal Sentence Encoder multilingual v3 in plain numpy: no transformer, 512 dimensions, 16 languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
_BATCH = 64


@dataclass(frozen=True, slots=True)
class UseEncoder:
    """Implements the `Encoder` protocol of the index over the package's own engine."""

    name: str
    fingerprint: str
    dimension: int
    engine: Any  # the package ships no types

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """(n, 512) float32, unit length."""
        return self._encode(texts)

    def encode_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vector:
        """(n, 512) float32, unit length; `progress` is told how many texts each batch finished."""
        return self._encode(texts, progress)

    def _encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vector:
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            vectors[start : start + len(batch)] = np.asarray(self.engine.encode(batch), np.float32)
            if progress:
                progress(len(batch))
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vector = vectors / np.maximum(norms, 1e-12)
        return unit
