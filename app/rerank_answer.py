"""The caller's own texts, ranked: the answer of `POST /v1/rerank`."""

from __future__ import annotations

from typing import Any

import numpy as np

from index.document import Document
from index.passage import split
from index.portrait import MAX_UNITS
from index.timeintent import time_intent
from index.timing import timing
from index.types import Rows, Vector

from .rerank_call import RerankCall
from .reranking import Judge
from .trace import Clock

_MOST_CHUNKS = 8


def rerank_answer(call: RerankCall, judge: Judge, clock: Clock) -> dict[str, Any]:
    """The results, best first (score descending, then index), as documented for `POST /v1/rerank`.

    A long text is read in chunks and counts by its best one. One that the model cannot score (no logit of it is a
    number) comes last, its score null.
    """
    began = clock()
    intent = time_intent(call.query, call.as_of.date())
    chunks = [split(offer.text, MAX_UNITS) or [offer.text] for offer in call.offered]
    read = [pieces[:_MOST_CHUNKS] for pieces in chunks]
    owners = np.repeat(np.arange(len(read)), [len(pieces) for pieces in read])
    timings = np.stack(
        [timing(Document("", "", windows=o.windows), call.as_of, intent) for o in call.offered]
    )
    texts = [piece for pieces in read for piece in pieces]
    scores = judge.reranker.score(call.query, texts, timings[owners], gated=call.gated)
    logits = _best(scores.logits, owners, len(read))
    finite = np.isfinite(logits)
    chances = judge.blend.probability_alone(np.where(finite, logits, np.float32(0.0)))
    order = np.lexsort((np.arange(len(read)), -logits))[: call.top_n].tolist()
    cut = [len(pieces) > _MOST_CHUNKS for pieces in chunks]
    for owner, truncated in zip(owners.tolist(), scores.truncated.tolist(), strict=True):
        cut[owner] = cut[owner] or truncated
    return {
        "results": [
            {
                "index": at,
                "relevance_score": float(chances[at]) if finite[at] else None,
                "truncated": cut[at],
            }
            for at in order
        ],
        "served": {
            "model": judge.reranker.name,
            "fingerprint": judge.reranker.fingerprint,
            "gated": call.gated,
            "precision": judge.rung,
            "pairs": len(texts),
        },
        "timings_ms": {"rerank": round((clock() - began) * 1e3, 3)},
    }


def _best(logits: Vector, owners: Rows, count: int) -> Vector:
    """(count,): the highest finite logit of each owner's chunks, -inf when it has none."""
    best = np.full(count, -np.inf, np.float32)
    finite = np.isfinite(logits)
    np.maximum.at(best, owners[finite], logits[finite])
    return best
