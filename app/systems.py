"""The systems that can be named: `--system NAME`, `system` in a request."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from index.fusion import Fusion
from models.rung import RUNGS

from .errors import UnknownSystem
from .plan import Plan, Reranking

# Chosen on the development set (docs/retrieval.md).
_FUSION = Fusion(
    method="weighted",
    normaliser="z-score",
    weights={"lexical": 0.7, "dense": 1.0, "alias": 0.5},
    floors={"lexical": 0.0, "okapi": 0.0, "alias": 0.0},
)
_HYBRID = Plan("hybrid", ("lexical", "alias", "dense"), _FUSION)
_CLOSED_PENALTY = 2.0
_GATED, _UNGATED = Reranking(), Reranking(gate=False)

SYSTEMS: Mapping[str, Plan] = MappingProxyType(
    {
        plan.system: plan
        for plan in (
            Plan("bm25", ("lexical",)),
            Plan("bm25-okapi", ("okapi",)),
            Plan("dense", ("dense",)),
            _HYBRID,
            Plan("hybrid-open", _HYBRID.legs, _FUSION, open_first=True),
            Plan("rerank", _HYBRID.legs, _FUSION, rerank=_GATED),
            Plan("rerank-50", _HYBRID.legs, _FUSION, rerank=Reranking(adaptive=False)),
            *(Plan(f"rerank@{rung}", _HYBRID.legs, _FUSION, rerank=Reranking(rung=rung)) for rung in RUNGS),
            Plan("rerank-nogate", _HYBRID.legs, _FUSION, rerank=_UNGATED),
            Plan("rerank-nogate-open", _HYBRID.legs, _FUSION, rerank=_UNGATED, open_first=True),
            Plan("full", _HYBRID.legs, _FUSION, rerank=Reranking(closed_penalty=_CLOSED_PENALTY)),
        )
    }
)
DEFAULT_SYSTEM = "hybrid-open"
"""What the service does when nobody chose."""
RERANKED_SYSTEM = "full"
"""What it does when a search asks to be reranked."""


def system(name: str) -> Plan:
    """The plan of system `name`. Raises UnknownSystem, which lists the known ones."""
    try:
        return SYSTEMS[name]
    except KeyError:
        raise UnknownSystem(name, tuple(SYSTEMS)) from None
