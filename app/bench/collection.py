"""A made-up collection on disk, larger than the real one and like it: the terms and vectors of its documents.

Terms: a document takes half of its terms from one real document (so that words keep the company they keep) and
half from all of them (so that no two documents are copies), at a real document's length; as in a growing
collection, some terms are new, and new terms follow Zipf's law. Vectors: a real vector moved in a random direction
of the real vectors' spread, as far away as a real vector's nearest neighbour is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from index.types import Rows, Vector

from .specimen import Specimen

_CHUNK = 20_000
_ZIPF = 1.2
_NEW_TERMS = 2_000_000


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder of arrays, memory-mapped when read. Documents are rows; each has one passage."""

    folder: Path
    documents: int

    @property
    def terms(self) -> NDArray[np.int32]:
        """(T,) terms of all documents one after another; those past the specimen's vocabulary are new."""
        return np.asarray(np.load(self.folder / "terms.npy", mmap_mode="r"))

    @property
    def offsets(self) -> Rows:
        """(n + 1,) where each document's terms begin."""
        return np.asarray(np.load(self.folder / "offsets.npy", mmap_mode="r"))

    @property
    def vectors(self) -> Vector:
        """(n, D) float32, unit length."""
        return np.asarray(np.load(self.folder / "vectors.npy", mmap_mode="r"))

    def term_lists(self, vocabulary: list[str], first: int | None = None) -> list[list[str]]:
        """The terms of the documents (of the `first` ones) as words. Equal words are one object."""
        offsets = self.offsets[: (first or self.documents) + 1]
        terms = self.terms[: offsets[-1]]
        words = np.empty(max(int(terms.max()) + 1, len(vocabulary)), object)
        words[: len(vocabulary)] = vocabulary
        words[len(vocabulary) :] = [f"new{place}" for place in range(len(words) - len(vocabulary))]
        return [words[terms[start:end]].tolist() for start, end in pairwise(offsets)]


def make_collection(
    folder: Path,
    specimen: Specimen,
    documents: int,
    rng: np.random.Generator,
    progress: Callable[[int], None] = lambda _count: None,
) -> Collection:
    """A collection of so many documents in `folder`. `progress` is told how many are made."""
    folder.mkdir(parents=True, exist_ok=True)
    lengths = rng.choice(np.diff(specimen.offsets), size=documents)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    np.save(folder / "offsets.npy", offsets)
    dimension = specimen.vectors.shape[1]
    spread = _spread(specimen.vectors)
    terms = open_memmap(folder / "terms.npy", "w+", np.int32, (int(offsets[-1]),))
    vectors = open_memmap(folder / "vectors.npy", "w+", np.float32, (documents, dimension))
    for start in range(0, documents, _CHUNK):
        end = min(start + _CHUNK, documents)
        terms[offsets[start] : offsets[end]] = _terms(specimen, lengths[start:end], rng)
        vectors[start:end] = _vectors(specimen, spread, end - start, rng)
        progress(end)
    terms.flush()
    vectors.flush()
    return Collection(folder, documents)


def _terms(specimen: Specimen, lengths: Rows, rng: np.random.Generator) -> NDArray[np.int32]:
    total = int(lengths.sum())
    parents = rng.integers(len(specimen.offsets) - 1, size=len(lengths))
    begins = np.repeat(specimen.offsets[parents], lengths)
    spans = np.repeat(np.diff(specimen.offsets)[parents], lengths)
    own = begins + (rng.random(total) * spans).astype(np.int64)
    anywhere = rng.integers(len(specimen.terms), size=total)
    drawn = specimen.terms[np.where(rng.random(total) < 0.5, own, anywhere)]
    new = rng.random(total) < specimen.novelty
    ranks = (rng.zipf(_ZIPF, size=int(new.sum())) - 1) % _NEW_TERMS
    drawn[new] = (len(specimen.vocabulary) + ranks).astype(np.int32)
    return drawn


def _vectors(specimen: Specimen, spread: Vector, count: int, rng: np.random.Generator) -> Vector:
    parents = specimen.vectors[rng.integers(len(specimen.vectors), size=count)]
    cosines = rng.choice(specimen.neighbour_cosines, size=count).astype(np.float32)[:, None]
    directions = rng.standard_normal((count, len(spread)), dtype=np.float32) @ spread
    # Only what is at right angles to the parent moves away from it; then the cosine comes out as drawn.
    directions -= (directions * parents).sum(1, keepdims=True) * parents
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)
    moved: Vector = cosines * parents + np.sqrt(1 - cosines**2) * directions
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return moved


def _spread(vectors: Vector) -> Vector:
    """(r, D): the directions in which real vectors differ, each as long as its standard deviation."""
    centred = vectors - vectors.mean(0)
    _, scales, directions = np.linalg.svd(centred[:20_000], full_matrices=False)
    kept: Vector = (scales[:, None] * directions).astype(np.float32)
    return kept
