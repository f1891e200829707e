"""The rerank stage: the best of the fused candidates, read by the cross-encoder and put in a new order.

The stage takes a `RankedList` and gives one: the head by its new scores, the rest behind it in the order it had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from index.fit import Fit, fits, named
from index.portrait import portrait
from index.snapshot import Snapshot
from index.terms import query_terms
from index.timeintent import time_intent
from index.timing import TIMING_FEATURES, Timing, timing
from index.types import EMPTY, Mask, RankedList, Rows, Vector, ordered
from models.rung import Rung

from .blend import Blend
from .plan import Reranking
from .waves import waves

_CLOSED = TIMING_FEATURES.index("is_closed")


class Scores(Protocol):
    """What a reranker says of n pairs."""

    @property
    def logits(self) -> NDArray[np.float32]:
        """(n,): higher is better, comparable inside one query; not finite where it failed."""

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """(n,): whether the text of a pair was cut."""


class Reranker(Protocol):
    """A cross-encoder with its time gate."""

    @property
    def name(self) -> str:
        """The checkpoint's name."""

    @property
    def fingerprint(self) -> str:
        """A short hash of everything that changes a logit."""

    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        """The logits of one query against n documents; timings: (n, F). `gated` False leaves the time gate out."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was read for one search, to be scored again on another rung. prior, logits: (n,) as they were served."""

    query: str
    texts: Sequence[str]
    timings: Timing
    gated: bool
    prior: Vector
    logits: Vector
    rung: Rung


@dataclass(frozen=True, slots=True)
class Judge:
    """What reranks: the network, and how its logit counts beside what was known before.

    rung: the precision that the network computes in. sample: takes what was read of a search that is to be compared.
    """

    reranker: Reranker
    blend: Blend
    rung: Rung = "fp16"
    sample: Callable[[Sample], None] | None = None

    @property
    def fingerprint(self) -> str:
        """Changes with everything that changes an order."""
        return f"{self.reranker.fingerprint} {self.blend!r}" + (
            "" if self.rung == "fp16" else f" {self.rung}"
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """One query before its judge. passages: row → the passage that a leg found nearest."""

    text: str
    lang: str
    as_of: datetime
    snapshot: Snapshot
    passages: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """Documents as the judge reads them: their texts, timings (n, F), and how they fit what is asked (n, K)."""

    texts: Sequence[str]
    timings: Timing
    fits: Fit


@dataclass(frozen=True, slots=True)
class Reranked:
    """ranked: all candidates in their new order. logits, probabilities: of the rows that were read.

    truncated: rows whose text was cut. failed: pairs whose logit was
    not a number. pairs: how many were read. rung: the precision they were read in; None = nothing was read.
    """

    ranked: RankedList = EMPTY
    logits: Mapping[int, float] = field(default_factory=dict)
    probabilities: Mapping[int, float] = field(default_factory=dict)
    truncated: frozenset[int] = frozenset()
    failed: int = 0
    rung: Rung | None = None

    @property
    def pairs(self) -> int:
        """How many pairs were read."""
        return len(self.logits) + self.failed


def rerank(fused: RankedList, asked: Asked, plan: Reranking, judge: Judge) -> Reranked:
    """`fused` with its first `plan.depth` candidates in the judge's order."""
    head = fused.cut(plan.depth)
    if not len(head):
        return Reranked(fused)
    reading = read(head.rows, asked)
    closed = reading.timings[:, _CLOSED]
    prior = judge.blend.prior(head.scores, reading.fits) - np.float32(plan.closed_penalty) * closed
    logits = np.full(len(head), judge.blend.usual_logit, np.float32)
    known, cut = np.zeros(len(head), bool), np.zeros(len(head), bool)

    def score(at: Rows) -> Vector:
        texts = [reading.texts[i] for i in at]
        scores = judge.reranker.score(asked.text, texts, reading.timings[at], gated=plan.gate)
        cut[at] = scores.truncated
        return np.asarray(scores.logits, np.float32)

    settled = plan.settled if plan.adaptive else len(head)
    for wave, found in waves(prior, judge.blend, plan.wave if plan.adaptive else len(head), settled, score):
        logits[wave], known[wave] = found, True
    if judge.sample is not None:
        judge.sample(_sample(asked.text, reading, plan.gate, prior, logits, known, judge.rung))
    return _reranked(fused, head, judge.blend.total(prior, logits), logits, known, cut, judge)


def _sample(
    query: str, reading: Reading, gated: bool, prior: Vector, logits: Vector, known: Mask, rung: Rung
) -> Sample:
    """The part of the reading that the network has seen."""
    at = np.flatnonzero(known)
    texts = [reading.texts[i] for i in at.tolist()]
    return Sample(query, texts, reading.timings[at], gated, prior[at], logits[at], rung)


def read(rows: Rows, asked: Asked) -> Reading:
    """What the judge is given of the documents of `rows`."""
    documents = [asked.snapshot.corpus[int(row)] for row in rows]
    terms = frozenset(query_terms(asked.text, asked.lang))
    texts = [
        portrait(document, _passage(asked, int(row), terms, document.language))
        for row, document in zip(rows, documents, strict=True)
    ]
    intent = time_intent(asked.text, asked.as_of.date())
    return Reading(
        texts=texts,
        timings=np.stack([timing(document, asked.as_of, intent) for document in documents]),
        fits=fits(named(asked.text), zip(documents, texts, strict=True)),
    )


def _passage(asked: Asked, row: int, terms: frozenset[str], language: str | None) -> str:
    """The passage that is nearest to the query, or where no leg knows it, the one with the most of its words."""
    held, at = asked.snapshot.passages, asked.passages.get(row)
    return (held.best(row, terms, language) if at is None else held.at(at)).text


def _reranked(
    fused: RankedList, head: RankedList, totals: Vector, logits: Vector, known: Mask, cut: Mask, judge: Judge
) -> Reranked:
    best = ordered(head.rows, totals)
    # What was not reranked keeps its order, one step below: scores say the order and nothing else.
    rest = fused.rows[len(head) :]
    below = best.scores[-1] - np.arange(1, len(rest) + 1, dtype=np.float32)
    finite = known & np.isfinite(logits)
    rows = head.rows[finite].tolist()
    return Reranked(
        ranked=RankedList(np.concatenate([best.rows, rest]), np.concatenate([best.scores, below])),
        logits=dict(zip(rows, logits[finite].tolist(), strict=True)),
        probabilities=dict(zip(rows, judge.blend.probability(totals[finite]).tolist(), strict=True)),
        truncated=frozenset(head.rows[cut].tolist()),
        failed=int((known & ~finite).sum()),
        rung=judge.rung,
    )
