"""How the shipped fake reranks: by words, so that tests can tell what comes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .rerank_call import RerankCall


def fake_rerank(call: RerankCall, fingerprint: str) -> Mapping[str, Any]:
    """The caller's texts by the share of the query's words they hold."""
    words = set(call.query.casefold().split())
    shares = [
        sum(word in offer.text.casefold() for word in words) / max(len(words), 1) for offer in call.offered
    ]
    order = sorted(range(len(shares)), key=lambda at: (-shares[at], at))[: call.top_n]
    results = [{"index": at, "relevance_score": shares[at], "truncated": False} for at in order]
    served = {
        "model": "fake",
        "fingerprint": fingerprint,
        "gated": call.gated,
        "precision": None,
        "pairs": len(shares),
    }
    return {"results": results, "served": served, "timings_ms": {"rerank": 0.0}}
