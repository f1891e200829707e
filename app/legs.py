"""The legs of the first stage, each a function of one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from index.alias import Bridge, only_names
from index.okapi import okapi_of
from index.snapshot import Snapshot
from index.terms import query_terms
from index.types import EMPTY, Encoder, Mask, RankedList

from .plan import Leg


@dataclass(frozen=True, slots=True)
class Request:
    """What a leg may look at: normalised text, its language, allowed rows, depth, and the pinned snapshot."""

    text: str
    lang: str
    allowed: Mask
    depth: int
    snapshot: Snapshot
    encoder: Encoder | None


@dataclass(frozen=True, slots=True)
class Found:
    """What a leg found: documents, the best passage of each where it knows it, the names it looked up.

    certain: the query was nothing but a name that this leg knows, so what it found is what was meant.
    """

    ranked: RankedList = EMPTY
    passages: Mapping[int, int] = field(default_factory=dict)
    bridges: tuple[Bridge, ...] = ()
    certain: bool = False


def lexical(request: Request) -> Found:
    """BM25 by bm25s."""
    terms = query_terms(request.text, request.lang)
    return Found(request.snapshot.lexical.search(terms, request.depth, request.allowed))


def okapi(request: Request) -> Found:
    """BM25 by rank-bm25, over the same terms."""
    terms = query_terms(request.text, request.lang)
    return Found(okapi_of(request.snapshot).search(terms, request.depth, request.allowed))


def dense(request: Request) -> Found:
    """Nearest passages by the bi-encoder."""
    if request.snapshot.dense is None or request.encoder is None:
        raise ValueError("this snapshot was built without an encoder")
    vector = request.encoder.encode_queries([request.text])[0]
    hits = request.snapshot.dense.search(vector, request.lang, request.depth, request.allowed)
    return Found(hits.ranked, dict(zip(hits.ranked.rows.tolist(), hits.passages.tolist(), strict=True)))


def alias(request: Request) -> Found:
    """Other names of what the query names."""
    snapshot = request.snapshot
    ranked, bridges = snapshot.alias.search(
        request.text, request.lang, snapshot.lexical, request.depth, request.allowed
    )
    return Found(ranked, bridges=bridges, certain=only_names(request.text, bridges, request.lang))


LEGS: Mapping[Leg, Callable[[Request], Found]] = MappingProxyType(
    {"lexical": lexical, "okapi": okapi, "dense": dense, "alias": alias}
)
