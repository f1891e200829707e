"""What is learned from real documents before larger collections are made up from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.library import Library
from index.settings import AWARDS
from index.terms import document_terms, query_terms
from index.types import Rows, Vector

_QUERY_WORDS = (2, 6)
_NEIGHBOURS_OF = 2_000


@dataclass(frozen=True, slots=True)
class Specimen:
    """Real documents, as numbers.

    vocabulary: the terms. terms: (T,) int32, those of all documents one after another, as places in the
    vocabulary. offsets: (n + 1,) int64, where each document begins. novelty: the chance that one more term is a
    new one (Good-Turing: the share of terms seen once). vectors: (P, D) float32, unit. neighbour_cosines: (m,) of
    passages to their nearest other passage. queries, query_vectors: what is asked, as terms and (q, D) float32.
    """

    vocabulary: list[str]
    terms: NDArray[np.int32]
    offsets: Rows
    novelty: float
    vectors: Vector
    neighbour_cosines: Vector
    queries: list[list[str]]
    query_vectors: Vector


def take_specimen(library: Library, queries: int, rng: np.random.Generator) -> Specimen:
    """The specimen of a library. Raises ValueError when its snapshot has no vectors."""
    snapshot, encoder = library.snapshot, library.encoder
    if snapshot.dense is None or encoder is None:
        raise ValueError("the snapshot has no vectors: build it again with an encoder")
    term_lists = [document_terms(document, AWARDS.weights) for document in snapshot.corpus]
    vectors = np.asarray(snapshot.dense.vectors, np.float32)
    texts = _questions([document.title for document in snapshot.corpus], queries, rng)
    asked = encoder.encode_queries(texts)
    centred = np.stack([snapshot.dense.centring.query(vector, "en") for vector in asked])
    return specimen_of(term_lists, vectors, [query_terms(text) for text in texts], centred, rng)


def specimen_of(
    term_lists: list[list[str]],
    vectors: Vector,
    queries: list[list[str]],
    query_vectors: Vector,
    rng: np.random.Generator,
) -> Specimen:
    """A specimen from its parts."""
    place: dict[str, int] = {}
    flat = [place.setdefault(term, len(place)) for terms in term_lists for term in terms]
    if not flat:
        raise ValueError("the documents have no terms to learn from")
    terms = np.asarray(flat, np.int32)
    lengths = [len(terms) for terms in term_lists if terms]
    return Specimen(
        vocabulary=list(place),
        terms=terms,
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        novelty=float((np.bincount(terms) == 1).sum() / len(terms)),
        vectors=vectors,
        neighbour_cosines=_neighbour_cosines(vectors, rng),
        queries=queries,
        query_vectors=np.ascontiguousarray(query_vectors, np.float32),
    )


def _questions(titles: list[str], count: int, rng: np.random.Generator) -> list[str]:
    """The first two to six words of as many titles: the way names are typed."""
    chosen = rng.choice(len(titles), size=min(count, len(titles)), replace=False)
    low, high = _QUERY_WORDS
    return [" ".join(titles[at].split()[: int(rng.integers(low, high + 1))]) for at in chosen]


def _neighbour_cosines(vectors: Vector, rng: np.random.Generator) -> Vector:
    """The cosine of some vectors to their nearest other one; copies of the same text are left out."""
    chosen = rng.choice(len(vectors), size=min(_NEIGHBOURS_OF, len(vectors)), replace=False)
    products = vectors[chosen] @ vectors.T
    products[np.arange(len(chosen)), chosen] = -1.0
    nearest = products.max(axis=1)
    distinct = nearest[(nearest < 0.9999) & (nearest > 0)]
    return distinct if len(distinct) else np.asarray([0.9], np.float32)
