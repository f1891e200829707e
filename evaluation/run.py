"""A run: what one system returned for each query, in *the* order (score descending, then id ascending)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from .errors import RunError

Hit = tuple[str, float]
"""Document id and score; higher is better."""

Run = Mapping[str, Sequence[Hit]]
"""query id -> hits."""


@dataclass(frozen=True, slots=True)
class SystemRun:
    """A run with how long each stage took and what made it.

    stage_ms: one duration per query and stage, in milliseconds.
    fingerprint: a short name of everything that could change the run.
    """

    run: Run
    stage_ms: Mapping[str, Sequence[float]]
    fingerprint: str


def ordered(query_id: str, hits: Iterable[Hit]) -> list[Hit]:
    """The hits by score descending, then document id ascending.

    Raises RunError when a document comes twice or a score is not finite: neither has a place in an order.
    """
    kept = [(doc_id, float(score)) for doc_id, score in hits]
    for doc_id, score in kept:
        if not math.isfinite(score):
            raise RunError(f"query {query_id!r}: document {doc_id!r} has the score {score}")
    doc_id, times = max(Counter(doc_id for doc_id, _ in kept).items(), key=itemgetter(1), default=("", 0))
    if times > 1:
        raise RunError(f"query {query_id!r}: document {doc_id!r} is ranked twice")
    return sorted(kept, key=lambda hit: (-hit[1], hit[0]))


def require_order(system: str, run: Run) -> None:
    """Raises RunError when a system's own order is not the one its scores say.

    A run file carries scores, and whoever reads it sorts by them: a system that moved hits afterwards
    without saying so in the scores would be judged on a ranking it never gave.
    """
    for query_id, hits in run.items():
        for rank, (given, right) in enumerate(zip(hits, ordered(query_id, hits), strict=True), start=1):
            if given[0] != right[0]:
                raise RunError(
                    f"system {system!r}, query {query_id!r}: rank {rank} holds {given[0]!r}, "
                    f"but by score, then id, it belongs to {right[0]!r}"
                )
