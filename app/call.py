"""One search as the service understands it: the query and everything the asker chose about its answer.

The closed sets that a caller may choose from live here, beside the fields they fill.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from index.types import Query

SortKey = Literal[
    "relevance",
    "deadline",
    "-deadline",
    "amount",
    "-amount",
    "title",
    "-title",
    "updated",
    "-updated",
]
Facet = Literal["host_countries", "levels", "fields", "availability", "languages", "provider", "currency"]
Scale = Literal["bm25", "dense", "fused", "rerank"]
Priority = Literal["realtime", "batch", "debug"]

PRIORITIES: tuple[Priority, ...] = get_args(Priority)


@dataclass(frozen=True, slots=True)
class MinScore:
    """The least score a hit may have, on a named scale: scores of two scales are never compared."""

    scale: Scale
    value: float


@dataclass(frozen=True, slots=True)
class RerankChoice:
    """What the caller asked of the reranker; None leaves it to the plan."""

    enabled: bool | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class SearchCall:
    """One search: `query` says what is looked for, the rest how the answer is cut and shown.

    sort: keys in order of weight, "-" reverses; empty = relevance, and ties always end in id ascending.
    as_of_given: False means `query.as_of` is the present moment, so a cursor's own instant takes its place.
    budget_ms: what is left of the caller's budget when the work begins (time in the queue is already off);
    None = no budget. request_id: repeated in the answer. The query's text and profile are never logged.
    unit_id, session_id: whom experiments split; consent: whether the asker agreed to be counted under such an id.
    arms: (experiment, arm) that a tester asks for.
    """

    query: Query
    request_id: str
    as_of_given: bool = False
    facets: tuple[Facet, ...] = ()
    sort: tuple[SortKey, ...] = ()
    page_size: int = 10
    cursor: str | None = None
    explain: bool = False
    min_score: MinScore | None = None
    rerank: RerankChoice = RerankChoice()
    system: str | None = None
    budget_ms: float | None = None
    priority: Priority = "realtime"
    unit_id: str | None = None
    session_id: str | None = None
    consent: bool = False
    arms: tuple[tuple[str, str], ...] = ()
