"""The systems that can be named: `--system NAME`, `system` in a request."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from index.fusion import Fusion

from .errors import UnknownSystem
from .plan import Plan

# Chosen on the development set (docs/retrieval.md).
_FUSION = Fusion(
    method="weighted",
    normaliser="z-score",
    weights={"lexical": 0.7, "dense": 1.0, "alias": 0.5},
    floors={"lexical": 0.0, "okapi": 0.0, "alias": 0.0},
)
_HYBRID = Plan("hybrid", ("lexical", "alias", "dense"), _FUSION)

SYSTEMS: Mapping[str, Plan] = MappingProxyType(
    {
        plan.system: plan
        for plan in (
            Plan("bm25", ("lexical",)),
            Plan("bm25-okapi", ("okapi",)),
            Plan("dense", ("dense",)),
            _HYBRID,
            Plan("hybrid-open", _HYBRID.legs, _FUSION, open_first=True),
        )
    }
)
DEFAULT_SYSTEM = "hybrid-open"
"""What the service does when nobody chose."""


def system(name: str) -> Plan:
    """The plan of system `name`. Raises UnknownSystem, which lists the known ones."""
    try:
        return SYSTEMS[name]
    except KeyError:
        raise UnknownSystem(name, tuple(SYSTEMS)) from None
