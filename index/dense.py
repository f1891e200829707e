"""The dense leg: inner product of unit vectors, by FAISS. The only module that knows faiss.

Vectors belong to passages; a document scores as its best passage. Filters come first: the allowed documents are known
before the search, and when they are few, or the collection is small, the search is exact and says so. Above
`EXACT_PASSAGES` an approximate index answers. Row -1, which FAISS returns when it finds too little, never leaves here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import faiss
import numpy as np

from index.centring import Centring
from index.splice import Splice
from index.standing import Standing
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


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """Passage vectors and their index.

    vectors: (B, D) float32 or float16, unit length, centred; `index` holds these. added: (A, D) float32 those that came
    since, which are few and always searched exactly. standing: which passages they all are of, numbered through.
    centring: what was taken from them, and is taken from a query.
    """

    vectors: Vector
    added: Vector
    standing: Standing
    kind: Kind
    index: faiss.Index | None
    centring: Centring

    @staticmethod
    def build(
        vectors: Vector,
        owners: Rows,
        languages: Sequence[str],
        kind: Kind | None = None,
        centring: Centring | None = None,
    ) -> Dense:
        """A searchable leg over the encoder's vectors (P, D), one a passage, of documents `owners` (P,), ascending.

        `languages`, one a passage; `kind` None chooses by size; `centring` None takes the means of these vectors.
        """
        centring = centring or Centring.of(vectors, languages)
        centred = centring.passages(vectors, languages)
        chosen = kind or ("exact" if len(vectors) <= EXACT_PASSAGES else "pq")
        index = None if chosen == "exact" else _build_index(centred, chosen)
        return Dense._of(centred, owners, chosen, index, centring)

    @staticmethod
    def _of(
        vectors: Vector, owners: Rows, kind: Kind, index: faiss.Index | None, centring: Centring
    ) -> Dense:
        standing = Standing.of(owners, np.arange(len(owners)))
        return Dense(vectors, _none_like(vectors), standing, kind, index, centring)

    def spliced(
        self, passages: Splice, owners: Rows, encoded: Rows, vectors: Vector, languages: Sequence[str]
    ) -> Dense:
        """The same vectors and index after their passages went where `passages` says, and some came.

        owners: (P,) the document row of each passage afterwards. encoded: (A,) which of the added passages have
        vectors: `vectors` (A, D), as the encoder gives them, in `languages`. The others are not found.
        """
        places = np.concatenate([passages.forward, passages.placed[encoded]])
        standing = Standing.of(np.where(places >= 0, owners[places], -1) if len(owners) else places, places)
        added = _stored(self.centring.passages(_stored(vectors), languages))
        return replace(self, added=added, standing=standing)

    def search(self, vector: Vector, language: str, depth: int, mask: Mask | None = None) -> DenseHits:
        """The best `depth` documents for the vector (D,) of a query in `language`, of those allowed by `mask`."""
        if depth < 1 or not len(self.standing.order):
            return NOTHING
        vector = np.asarray(self.centring.query(vector, language), np.float32)
        allowed = None if mask is None else mask[self.standing.rows]
        few = allowed is not None and int(allowed.sum()) <= FEW_ALLOWED
        if self.index is None or few:
            return self._exact(vector, depth, allowed)
        return self._approximate(vector, depth, allowed)

    def _exact(self, vector: Vector, depth: int, allowed: Mask | None) -> DenseHits:
        """The definition; `allowed` (L,) by place."""
        if allowed is None or allowed.all():
            numbers, owners = self.standing.order, self.standing.rows
            scores = np.concatenate([_products(self.vectors, vector), _products(self.added, vector)])[numbers]
        else:
            numbers, owners = self.standing.order[allowed], self.standing.rows[allowed]
            scores = self._scores(numbers, vector)
        if not len(numbers):
            return NOTHING
        # Passages ascend, so a document's lie side by side and its best is a maximum over a stretch: no sorting.
        starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
        ranked = ordered(owners[starts], np.maximum.reduceat(scores, starts), depth)
        ends = np.append(starts[1:], len(numbers))
        at = np.searchsorted(owners[starts], ranked.rows)
        best = [
            start + int(np.argmax(scores[start:end])) for start, end in zip(starts[at], ends[at], strict=True)
        ]
        return DenseHits(ranked, self.standing.places[numbers[np.array(best, np.int64)]], exact=True)

    def _scores(self, numbers: Rows, vector: Vector) -> Vector:
        """(k,) the products of the vectors of these numbers (k,)."""
        built = numbers < len(self.vectors)
        scores = np.empty(len(numbers), np.float32)
        scores[built] = _products(self.vectors[numbers[built]], vector)
        scores[~built] = _products(self.added[numbers[~built] - len(self.vectors)], vector)
        return scores

    def _approximate(self, vector: Vector, depth: int, allowed: Mask | None) -> DenseHits:
        """What the index finds, and all that came since."""
        stands = np.zeros(len(self.standing.places), np.bool_)
        stands[self.standing.order if allowed is None else self.standing.order[allowed]] = True
        recent = len(self.vectors) + np.flatnonzero(stands[len(self.vectors) :])
        recent_scores = self._scores(recent, vector)
        wanted = min(len(self.vectors), depth * _OVERSAMPLE)
        while True:
            scores, numbers = self._index_search(vector, wanted)
            # -1 reads the last one here, and is dropped by the other condition
            keep = (numbers >= 0) & stands[numbers]
            hits = self._by_document(
                np.concatenate([numbers[keep], recent]), np.concatenate([scores[keep], recent_scores]), depth
            )
            if len(hits.ranked) >= depth:
                return hits
            if wanted == len(self.vectors):  # the index does not reach everything that is allowed
                return self._exact(vector, depth, allowed)
            wanted = min(len(self.vectors), wanted * 4)

    def _index_search(self, vector: Vector, wanted: int) -> tuple[Vector, Rows]:
        query = np.ascontiguousarray(vector[None], np.float32)
        if self.index is None:
            raise ValueError("an exact leg has no index to search")
        scores, numbers = self.index.search(query, wanted)
        return scores[0], numbers[0]

    def _by_document(self, numbers: Rows, scores: Vector, depth: int) -> DenseHits:
        """One score a document, its best passage's, for vectors in any order; the earlier passage on a tie."""
        if not len(numbers):
            return DenseHits(EMPTY, np.empty(0, np.int64), exact=False)
        places = self.standing.places[numbers]
        order = np.lexsort((places, -scores, self.standing.owners[numbers]))
        owners = self.standing.owners[numbers][order]
        first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
        rows, best, best_scores = owners[first], places[order][first], scores[order][first]
        ranked = ordered(rows, best_scores.astype(np.float32), depth)
        return DenseHits(ranked, best[np.searchsorted(rows, ranked.rows)], exact=False)

    def save(self, folder: Path) -> None:
        """Nothing; writes vectors (fp16), owners and the index of a built leg into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "vectors.npy", self.vectors.astype(np.float16), allow_pickle=False)
        np.save(folder / "owners.npy", self.standing.owners, allow_pickle=False)
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
            return Dense._of(vectors, owners, kind, faiss.read_index(str(found[0])), centring)
        return Dense._of(vectors.astype(np.float32), owners, "exact", None, centring)


def _products(vectors: Vector, vector: Vector) -> Vector:
    """(n,) the inner products of `vectors` (n, D) and `vector` (D,).

    One product at a time: a matrix product adds up in another order at its edges, so a passage would score by where it
    lies; measured, it is no faster.
    """
    products: Vector = np.vecdot(vectors.astype(np.float32, copy=False), vector)
    return products


def _stored(vectors: Vector) -> Vector:
    """`vectors` as they come back from the disk, where they are kept in half precision."""
    return vectors.astype(np.float16).astype(np.float32)


def _none_like(vectors: Vector) -> Vector:
    return np.empty((0, vectors.shape[1]), np.float32)


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
