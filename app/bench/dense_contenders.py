"""The dense leg, with each kind of index it can choose, beside exact search by numpy and by FAISS."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import faiss
import numpy as np

from index.dense import Dense, Kind
from index.types import Mask, Rows

from .collection import Collection
from .contender import DEPTH, Ask, Contender, Question

_LANGUAGE = "en"
_KINDS: tuple[Kind, ...] = ("exact", "hnsw", "ivf", "pq")


def _prepare_ours(kind: Kind, collection: Collection, _vocabulary: list[str], folder: Path) -> None:
    owners = np.arange(collection.documents)
    Dense.build(collection.vectors, owners, [_LANGUAGE] * len(owners), kind).save(folder)


def _open_ours(_collection: Collection, _vocabulary: list[str], folder: Path) -> Ask:
    leg = Dense.load(folder)

    def ask(question: Question, mask: Mask | None) -> Rows:
        return leg.search(np.asarray(question, np.float32), _LANGUAGE, DEPTH, mask).ranked.rows

    return ask


def _open_numpy(collection: Collection, _vocabulary: list[str], _folder: Path) -> Ask:
    vectors = np.array(collection.vectors)

    def ask(question: Question, mask: Mask | None) -> Rows:
        allowed = None if mask is None else np.flatnonzero(mask)
        scores = (vectors if allowed is None else vectors[allowed]) @ np.asarray(question, np.float32)
        best = np.argpartition(-scores, min(DEPTH, len(scores)) - 1)[:DEPTH]
        best = best[np.argsort(-scores[best], kind="stable")]
        return np.asarray(best if allowed is None else allowed[best], np.int64)

    return ask


def _prepare_flat(collection: Collection, _vocabulary: list[str], folder: Path) -> None:
    index = faiss.IndexFlatIP(collection.vectors.shape[1])
    index.add(np.ascontiguousarray(collection.vectors))
    folder.mkdir(parents=True, exist_ok=True)
    faiss.write_index(index, str(folder / "flat.faiss"))


def _open_flat(collection: Collection, _vocabulary: list[str], folder: Path) -> Ask:
    index = faiss.read_index(str(folder / "flat.faiss"))
    depth = min(DEPTH, collection.documents)

    def ask(question: Question, _mask: Mask | None) -> Rows:
        _, rows = index.search(np.asarray(question, np.float32)[None], depth)
        return np.asarray(rows[0], np.int64)

    return ask


DENSE = (
    *(
        Contender("dense", f"ours {kind}", True, partial(_prepare_ours, kind), _open_ours, filters=True)
        for kind in _KINDS
    ),
    Contender("dense", "numpy", False, None, _open_numpy, filters=True),
    Contender("dense", "faiss flat", False, _prepare_flat, _open_flat),
)
