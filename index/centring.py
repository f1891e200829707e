"""Taking the language out of multilingual vectors.

A multilingual encoder places texts of one language near each other: a Chinese question then finds Chinese documents
before better German ones. The mean vector of a language's passages is what they share beyond meaning; a part of it is
taken from passages and from queries of that language (measured in docs/retrieval.md). A collection in one language is
left alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from index.types import Vector

# How much of a language's mean is taken away, and how many passages make a mean worth trusting.
SHARE = 0.6
_MIN_PASSAGES = 50
_MEANS = "means.npy"
_LANGUAGES = "languages.json"


@dataclass(frozen=True, slots=True)
class Centring:
    """means: language → (D,) mean of its passages; "" is the mean of all, for languages with few passages.

    Empty means: nothing is taken away.
    """

    means: Mapping[str, Vector]

    @staticmethod
    def of(vectors: Vector, languages: Sequence[str]) -> Centring:
        """The means of passage vectors (P, D) in `languages`, one a passage."""
        tags = np.asarray(languages)
        found, counts = np.unique(tags, return_counts=True)
        large = found[counts >= _MIN_PASSAGES]
        if len(large) < 2:
            return Centring({})
        means = {str(tag): vectors[tags == tag].mean(0, dtype=np.float32) for tag in large}
        return Centring({"": vectors.mean(0, dtype=np.float32), **means})

    def passages(self, vectors: Vector, languages: Sequence[str]) -> Vector:
        """(P, D) float32, unit length: `vectors` without their languages."""
        if not self.means:
            return np.asarray(vectors, np.float32)
        tags = np.asarray(languages)
        shifted = np.asarray(vectors, np.float32).copy()
        for tag in np.unique(tags):
            shifted[tags == tag] -= SHARE * self._mean(str(tag))
        return _unit(shifted)

    def query(self, vector: Vector, language: str) -> Vector:
        """(D,) float32, unit length: a query vector without its language."""
        return _unit(vector - SHARE * self._mean(language)) if self.means else vector

    def _mean(self, language: str) -> Vector:
        return self.means.get(language, self.means[""])

    def save(self, folder: Path) -> None:
        """Nothing; writes the means into `folder`."""
        (folder / _LANGUAGES).write_text(json.dumps(list(self.means), ensure_ascii=False), encoding="utf-8")
        if self.means:
            np.save(folder / _MEANS, np.stack(list(self.means.values())), allow_pickle=False)

    @staticmethod
    def load(folder: Path) -> Centring:
        """The means in `folder`."""
        languages = json.loads((folder / _LANGUAGES).read_text(encoding="utf-8"))
        if not languages:
            return Centring({})
        return Centring(dict(zip(languages, np.load(folder / _MEANS, allow_pickle=False), strict=True)))


def _unit(vectors: Vector) -> Vector:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vector = vectors / np.maximum(lengths, 1e-12)
    return unit
