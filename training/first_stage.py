"""The candidates the service's first stage would hand to a reranker: lexical, alias and dense, fused.

The trainer stands beside the service, not above it, so the line is drawn once more here, from the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from index.alias import only_names
from index.analyzer import normalise
from index.build import build
from index.document import Document
from index.fusion import Fusion, fuse
from index.language import detect
from index.portrait import portrait
from index.settings import AWARDS, BuildSettings
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.terms import query_terms
from index.types import Encoder, RankedList, Vector

Progress = Callable[[str, int, int], None]

# What the service's system `hybrid` does (docs/retrieval.md).
FUSION = Fusion(
    method="weighted",
    normaliser="z-score",
    weights={"lexical": 0.7, "dense": 1.0, "alias": 0.5},
    floors={"lexical": 0.0, "alias": 0.0},
)
LEG_DEPTH = 200
_CERTAIN = 100.0
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found for one query: the fused list, and the passage of each row that the dense leg liked best."""

    ranked: RankedList
    passages: dict[int, int]
    terms: frozenset[str]
    language: str


@dataclass(frozen=True, slots=True)
class FirstStage:
    """A snapshot and the encoder it was built with."""

    snapshot: Snapshot
    encoder: Encoder

    def encoded(self, texts: Sequence[str], progress: Progress) -> Vector:
        """(n, D) the query vectors of `texts`, as the service would encode them."""
        import numpy as np

        blocks = []
        for start in range(0, len(texts), _BATCH):
            block = [normalise(text) for text in texts[start : start + _BATCH]]
            blocks.append(self.encoder.encode_queries(block))
            progress("encode queries", min(start + _BATCH, len(texts)), len(texts))
        return np.concatenate(blocks) if blocks else np.empty((0, self.encoder.dimension), np.float32)

    def retrieve(self, text: str, vector: Vector, depth: int) -> Retrieved:
        """The best `depth` documents for a query and its vector (D,)."""
        plain = normalise(text)
        language = detect(plain)
        terms = query_terms(plain, language)
        legs, passages = {}, {}
        legs["lexical"] = self.snapshot.lexical.search(terms, LEG_DEPTH)
        legs["alias"], bridges = self.snapshot.alias.search(plain, language, self.snapshot.lexical, LEG_DEPTH)
        if self.snapshot.dense is not None:
            hits = self.snapshot.dense.search(vector, language, LEG_DEPTH)
            legs["dense"] = hits.ranked
            passages = dict(zip(hits.ranked.rows.tolist(), hits.passages.tolist(), strict=True))
        fusion = FUSION
        if only_names(plain, bridges, language):
            weights = {**FUSION.weights, "alias": FUSION.weights["alias"] * _CERTAIN}
            fusion = replace(FUSION, weights=weights)
        fused = fuse(legs, fusion, depth, full=LEG_DEPTH)
        return Retrieved(fused, passages, frozenset(terms), language)

    def portrait(self, row: int, found: Retrieved) -> str:
        """The document side of a pair: the record of a row with the passage that answers the query best."""
        document = self.snapshot.corpus[row]
        passages = self.snapshot.passages
        at = found.passages.get(row)
        text = passages.texts[at] if at is not None else passages.best(row, found.terms, found.language).text
        return portrait(document, text)


def open_first_stage(
    documents: Sequence[Document],
    home: Path,
    encoder: Encoder,
    *,
    settings: BuildSettings = AWARDS,
    books: Sequence[Path] = (),
    progress: Progress,
) -> FirstStage:
    """A first stage over `documents`, indexed under `home`; vectors in `books` and `home` are not made again."""
    built = build(documents, home, encoder, settings, books=books, progress=progress)
    return FirstStage(open_snapshot(built.folder, encoder.fingerprint), encoder)


def parse_day(text: str) -> date:
    """The day an ISO date names."""
    return date.fromisoformat(text)
