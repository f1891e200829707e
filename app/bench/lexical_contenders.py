"""The lexical leg beside the libraries that could do its work."""

from __future__ import annotations

from pathlib import Path

import bm25s
import numpy as np
from rank_bm25 import BM25Okapi

from index.lexical import Lexical
from index.settings import AWARDS
from index.types import Mask, Rows

from .collection import Collection
from .contender import DEPTH, Ask, Contender, Question

# Above this rank-bm25 needs seconds for one query.
_RANK_BM25_LIMIT = 100_000


def _prepare_ours(collection: Collection, vocabulary: list[str], folder: Path) -> None:
    Lexical.build(collection.term_lists(vocabulary), AWARDS.k1, AWARDS.b).save(folder)


def _open_ours(collection: Collection, _vocabulary: list[str], folder: Path) -> Ask:
    leg = Lexical.load(folder, collection.documents)

    def ask(question: Question, mask: Mask | None) -> Rows:
        return leg.search([str(term) for term in question], DEPTH, mask).rows

    return ask


def _prepare_bm25s(collection: Collection, vocabulary: list[str], folder: Path) -> None:
    engine = bm25s.BM25(k1=AWARDS.k1, b=AWARDS.b, method="lucene")
    engine.index(collection.term_lists(vocabulary), show_progress=False)
    engine.save(str(folder), allow_pickle=False)


def _open_bm25s(collection: Collection, _vocabulary: list[str], folder: Path) -> Ask:
    engine = bm25s.BM25.load(str(folder), mmap=True, allow_pickle=False)
    depth = min(DEPTH, collection.documents)

    def ask(question: Question, _mask: Mask | None) -> Rows:
        known = [str(term) for term in question if str(term) in engine.vocab_dict]
        if not known:
            return np.empty(0, np.int64)
        rows, scores = engine.retrieve([known], k=depth, show_progress=False)
        return np.asarray(rows[0][scores[0] > 0], np.int64)

    return ask


def _open_rank_bm25(collection: Collection, vocabulary: list[str], _folder: Path) -> Ask:
    engine = BM25Okapi(collection.term_lists(vocabulary), k1=AWARDS.k1, b=AWARDS.b)

    def ask(question: Question, _mask: Mask | None) -> Rows:
        scores = engine.get_scores([str(term) for term in question])
        best = np.argpartition(-scores, min(DEPTH, len(scores)) - 1)[:DEPTH]
        return np.asarray(best[np.argsort(-scores[best], kind="stable")], np.int64)

    return ask


LEXICAL = (
    Contender("lexical", "ours", True, _prepare_ours, _open_ours, filters=True),
    Contender("lexical", "bm25s", False, _prepare_bm25s, _open_bm25s),
    Contender("lexical", "rank-bm25", False, None, _open_rank_bm25, limit=_RANK_BM25_LIMIT),
)
