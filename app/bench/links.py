"""How well the linker does on the judged pairs, and how long it takes over all records that are given."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from index.document import Document
from index.linking.cluster import clusters
from index.linking.decision import THRESHOLD, certainly_apart, score, weights, write_weights
from index.linking.fit import counts, fitted
from index.linking.judged import Half, figure, judged
from index.linking.known import known as well_known
from index.linking.linker import links
from index.linking.rarity import rarity, write_rarity
from index.linking.sketch import Sketch, sketch

Progress = Callable[[str, int, int], None]
_HALVES: tuple[Half, ...] = ("held", "choose")


def bench_links(
    documents: Iterable[Document], refit: bool = False, progress: Progress = lambda step, done, total: None
) -> dict[str, Any]:
    """The figures of both halves of the judged pairs, of single links and of whole programmes.

    Pairs whose records are not among `documents` are left out. refit: makes the tables anew first, from these records
    and the half of the pairs that is for choosing.
    """
    given = {one.doc_id: one for one in documents}
    if refit:
        _refit(given)
    began = time.process_time()
    known = {doc_id: sketch(one) for doc_id, one in given.items()}
    found = links(list(known.values()), progress)
    groups = clusters(found, conflicting=lambda first, second: certainly_apart(known[first], known[second]))
    seconds = time.process_time() - began
    of = {one: at for at, group in enumerate(groups) for one in group}
    told: dict[str, Any] = {
        "records": len(known),
        "links": len(found),
        "programmes": len(groups),
        "linked_records": len(of),
        "processor_seconds": round(seconds, 1),
    }
    for half in _HALVES:
        pairs = judged(half, known)
        if pairs:
            sure = [score(known[one.first], known[one.second]) >= THRESHOLD for one in pairs]
            together = [one.first in of and of[one.first] == of.get(one.second) for one in pairs]
            told[half] = {"links": asdict(figure(pairs, sure)), "programmes": asdict(figure(pairs, together))}
    return told


def _refit(given: dict[str, Document]) -> None:
    """Nothing; first the rarity of words, on which everything rests, then the weights."""
    write_rarity(counts(_sketches(given)))
    rarity.cache_clear()
    well_known.cache_clear()
    known = _sketches(given)
    write_weights(fitted(judged("choose", known), known))
    weights.cache_clear()


def _sketches(given: dict[str, Document]) -> dict[str, Sketch]:
    return {doc_id: sketch(one) for doc_id, one in given.items()}
