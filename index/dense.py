"""The dense leg: inner product of unit vectors, by FAISS. The only module that knows faiss.

Vectors belong to passages; a document scores as its best passage. Filters come first: the allowed documents are known
before the search, and when they are few, or the collection is small, the search is exact and says so. Above
`EXACT_PASSAGES` an approximate index answers. Row -1, which FAISS returns when it finds too little, never leaves here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import faiss
import numpy as np

from index.centring import Centring
from index.types import EMPTY, Mask, RankedList, Rows, Vector, ordered

Kind = Literal["exact", "hnsw", "ivf", "pq"]

# Measured (docs/retrieval.md): exact search of this many passages costs about what encoding the query does.
EXACT_PASSAGES = 100_000
# With fewer allowed passages than this, exact beats any approximate index and cannot miss.
FEW_ALLOWED = 5_000
_OVERSAMPLE = 4
_HNSW_LINKS = 32
_HNSW_CONSTRUCTION = 200
_HNSW_SEARCH = 512
_IVF_PROBES = 64
_REFINE = 10


@dataclass(frozen=True, slots=True)
class DenseHits:
    """What the leg found: documents, the best passage of each (`passages`, aligned), and whether it was exact."""

    ranked: RankedList
    passages: Rows
    exact: bool


NOTHING = DenseHits(EMPTY, np.empty(0, np.int64), exact=True)


@dataclass(frozen=True, slots=True)
class Dense:
    """Passage vectors and their index.

    vectors: (P, D) float32 or float16, unit length, centred. owners: (P,) int64, ascending: the document row of each
    passage. centring: what was taken from them, and is taken from a query.
    """

    vectors: Vector
    owners: Rows
    kind: Kind
    index: faiss.Index | None
    centring: Centring

    @staticmethod
    def build(vectors: Vector, owners: Rows, languages: Sequence[str], kind: Kind | None = None) -> Dense:
        """A searchable leg over the encoder's vectors; `languages`, one a passage; `kind` None chooses by size."""
        centring = Centring.of(vectors, languages)
        centred = centring.passages(vectors, languages)
        chosen = kind or ("exact" if len(vectors) <= EXACT_PASSAGES else "pq")
        index = None if chosen == "exact" else _build_index(centred, chosen)
        return Dense(centred, owners, chosen, index, centring)

    def search(self, vector: Vector, language: str, depth: int, mask: Mask | None = None) -> DenseHits:
        """The best `depth` documents for the vector (D,) of a query in `language`, of those allowed by `mask`."""
        if depth < 1 or not len(self.vectors):
            return NOTHING
        vector = self.centring.query(vector, language)
        allowed = None if mask is None else mask[self.owners]
        few = allowed is not None and int(allowed.sum()) <= FEW_ALLOWED
        if self.index is None or few:
            return self._exact(vector, depth, allowed)
        return self._approximate(vector, depth, allowed)

    def _exact(self, vector: Vector, depth: int, allowed: Mask | None) -> DenseHits:
        if allowed is None or allowed.all():
            passages: Rows = np.arange(len(self.vectors))
            scores = _products(self.vectors, vector)
        else:
            passages = np.flatnonzero(allowed)
            scores = _products(self.vectors[passages], vector)
        if not len(passages):
            return NOTHING
        # Passages ascend, so a document's lie side by side and its best is a maximum over a stretch: no sorting.
        owners = self.owners[passages]
        starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
        ranked = ordered(owners[starts], np.maximum.reduceat(scores, starts), depth)
        ends = np.append(starts[1:], len(passages))
        at = np.searchsorted(owners[starts], ranked.rows)
        best = [
            start + int(np.argmax(scores[start:end])) for start, end in zip(starts[at], ends[at], strict=True)
        ]
        return DenseHits(ranked, passages[np.array(best, np.int64)], exact=True)

    def _approximate(self, vector: Vector, depth: int, allowed: Mask | None) -> DenseHits:
        wanted = min(len(self.vectors), depth * _OVERSAMPLE)
        while True:
            scores, passages = self._index_search(vector, wanted)
            keep = passages >= 0
            if allowed is not None:
                keep &= allowed[passages]  # -1 reads the last passage here, and was already dropped above
            hits = self._by_document(passages[keep], scores[keep], depth)
            if len(hits.ranked) >= depth:
                return hits
            if wanted == len(self.vectors):  # the index does not reach everything that is allowed
                return self._exact(vector, depth, allowed)
            wanted = min(len(self.vectors), wanted * 4)

    def _index_search(self, vector: Vector, wanted: int) -> tuple[Vector, Rows]:
        query = np.ascontiguousarray(vector[None], np.float32)
        if self.index is None:
            raise ValueError("an exact leg has no index to search")
        scores, passages = self.index.search(query, wanted)
        return scores[0], passages[0]

    def _by_document(self, passages: Rows, scores: Vector, depth: int) -> DenseHits:
        """One score a document, its best passage's, for passages in any order; the earlier passage on a tie."""
        if not len(passages):
            return DenseHits(EMPTY, np.empty(0, np.int64), exact=False)
        order = np.lexsort((passages, -scores, self.owners[passages]))
        owners = self.owners[passages][order]
        first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
        rows, best, best_scores = owners[first], passages[order][first], scores[order][first]
        ranked = ordered(rows, best_scores.astype(np.float32), depth)
        return DenseHits(ranked, best[np.searchsorted(rows, ranked.rows)], exact=False)

    def save(self, folder: Path) -> None:
        """Nothing; writes vectors (fp16), owners and the index into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "vectors.npy", self.vectors.astype(np.float16), allow_pickle=False)
        np.save(folder / "owners.npy", self.owners, allow_pickle=False)
        self.centring.save(folder)
        if self.index is not None:
            faiss.write_index(self.index, str(folder / f"{self.kind}.faiss"))

    @staticmethod
    def load(folder: Path) -> Dense:
        """The leg in `folder`."""
        vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        owners = np.load(folder / "owners.npy", mmap_mode="r", allow_pickle=False)
        centring = Centring.load(folder)
        found = sorted(folder.glob("*.faiss"))
        if found:
            kind: Kind = found[0].stem  # type: ignore[assignment]  # the file name we wrote
            return Dense(vectors, owners, kind, faiss.read_index(str(found[0])), centring)
        return Dense(vectors.astype(np.float32), owners, "exact", None, centring)


def _products(vectors: Vector, vector: Vector) -> Vector:
    products: Vector = vectors.astype(np.float32, copy=False) @ np.asarray(vector, np.float32)
    return products


def _build_index(vectors: Vector, kind: Kind) -> faiss.Index:
    """A trained and filled index of `kind`."""
    dimension = vectors.shape[1]
    index: faiss.Index
    if kind == "hnsw":
        index = faiss.IndexHNSWFlat(dimension, _HNSW_LINKS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = _HNSW_CONSTRUCTION
        index.hnsw.efSearch = _HNSW_SEARCH
    elif kind == "ivf":
        lists = max(1, int(4 * np.sqrt(len(vectors))))
        index = faiss.index_factory(dimension, f"IVF{lists},Flat", faiss.METRIC_INNER_PRODUCT)
        faiss.extract_index_ivf(index).nprobe = _IVF_PROBES
    else:
        codes = faiss.index_factory(dimension, f"PQ{dimension // 2}x4fs", faiss.METRIC_INNER_PRODUCT)
        index = faiss.IndexRefineFlat(codes)
        index.k_factor = _REFINE
    index.train(vectors)
    index.add(vectors)
    return index
