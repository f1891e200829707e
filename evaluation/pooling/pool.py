"""What to judge next: the documents that some system ranks high and nobody has judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from evaluation.run import Run, ordered
from evaluation.testset import Qrels


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and a document that stand together before a judge. Which system found it is not said."""

    query_id: str
    doc_id: str


def pool(
    runs: Sequence[Run],
    qrels: Qrels,
    query_ids: Sequence[str],
    depth: int,
    regraded: int,
    rng: np.random.Generator,
) -> list[Pair]:
    """The pairs to judge, in random order within each query, queries in random order.

    The first `depth` documents of every run that have no grade (Spärck Jones and van Rijsbergen, 1975), and so many
    pairs that have one already: a judge who cannot tell which grades them again, which shows how far to trust grades.
    """
    unjudged = {
        query_id: sorted(
            {
                doc_id
                for run in runs
                for doc_id, _ in ordered(query_id, run.get(query_id, ()))[:depth]
                if doc_id not in qrels.get(query_id, {})
            }
        )
        for query_id in query_ids
    }
    judged = [Pair(query_id, doc_id) for query_id in query_ids for doc_id in sorted(qrels.get(query_id, {}))]
    again = rng.choice(len(judged), min(regraded, len(judged)), replace=False).tolist() if judged else []
    pairs: dict[str, list[Pair]] = {
        query_id: [Pair(query_id, doc_id) for doc_id in found] for query_id, found in unjudged.items()
    }
    for at in again:
        pairs[judged[at].query_id].append(judged[at])
    order = rng.permutation(len(query_ids)).tolist()
    return list(chain.from_iterable(_shuffled(pairs[query_ids[at]], rng) for at in order))


def coverage(runs: Mapping[str, Run], qrels: Qrels, depth: int) -> dict[str, float]:
    """The share of each run's first `depth` documents, over the judged queries, that have a grade."""
    found = {}
    for name, run in runs.items():
        heads = {query_id: ordered(query_id, run.get(query_id, ()))[:depth] for query_id in qrels}
        total = sum(map(len, heads.values()))
        judged = sum(doc_id in qrels[query_id] for query_id, head in heads.items() for doc_id, _ in head)
        found[name] = judged / total if total else 0.0
    return found


def _shuffled(pairs: Sequence[Pair], rng: np.random.Generator) -> list[Pair]:
    return [pairs[at] for at in rng.permutation(len(pairs)).tolist()]
