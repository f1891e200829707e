"""The quality guard's eyes: a small share of the reranked searches, scored once more on another rung.

Off the request path: a sample is handed over, or dropped when there are too many, and read by one thread of low
priority that rests longer than it works.
"""

from __future__ import annotations

import logging
import queue
import random
import threading
import time
from collections.abc import Callable

import numpy as np

from app.reranking import Judge, Sample
from app.turns import give_way
from models.agreement import Comparisons, overlap
from models.rung import Rung

log = logging.getLogger("scholarsearch")

_WAITING = 4
_REST = 4.0
"""How many times as long as a comparison took the thread rests after it."""


class Shadow:
    """Compares samples. share: of the searches that are compared. judge: the judge on a rung, None = not open.

    other: given the rung that served, the pair (rung to compare, rung to score on): one of them is the reference.
    """

    def __init__(
        self,
        share: float,
        judge: Callable[[Rung], Judge | None],
        other: Callable[[Rung], tuple[Rung, Rung] | None],
        comparisons: Comparisons,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] | None = None,
    ) -> None:
        self._share = share
        self._judge, self._other = judge, other
        self._comparisons = comparisons
        self._clock = clock
        self._chance = chance or random.Random(0).random
        self._queue: queue.SimpleQueue[Sample | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self.dropped = 0

    def begin(self) -> None:
        """Nothing; from here on samples are read."""
        threading.Thread(target=self._read, name="shadow", daemon=True).start()

    def chosen(self) -> bool:
        """Whether the search of now is to be sampled."""
        return self._share > 0 and self._chance() < self._share

    def offer(self, sample: Sample) -> None:
        """Nothing; the sample will be compared, unless too many wait."""
        if self._queue.qsize() >= _WAITING or self._stopped.is_set():
            self.dropped += 1
            return
        self._queue.put(sample)

    def compare(self, sample: Sample) -> None:
        """Nothing; what the sample says of a rung is noted, if it says anything."""
        pair = self._other(sample.rung)
        judge = None if pair is None else self._judge(pair[1])
        if pair is None or judge is None:
            return
        rung, scored_on = pair
        scores = judge.reranker.score(sample.query, sample.texts, sample.timings, gated=sample.gated)
        total = judge.blend.total
        served, shadow = total(sample.prior, sample.logits), total(sample.prior, scores.logits)
        # A logit that is no number would count as the usual one in a total: it must not look like agreement.
        served[~np.isfinite(sample.logits)] = np.nan
        shadow[~np.isfinite(scores.logits)] = np.nan
        reference, other = (served, shadow) if scored_on == rung else (shadow, served)
        share = overlap(reference, other)
        if share is not None:
            self._comparisons.add(rung, share, self._clock())

    def close(self) -> None:
        """Nothing; the thread ends after its present sample."""
        self._stopped.set()
        self._queue.put(None)

    def _read(self) -> None:
        give_way()
        while (sample := self._queue.get()) is not None and not self._stopped.is_set():
            began = self._clock()
            try:
                self.compare(sample)
            except Exception:
                log.exception("a search could not be scored on another rung")
            self._stopped.wait((self._clock() - began) * _REST)
