"""What moved a hit in the reranking, for who asks why it stands where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from index.fit import FIT_FEATURES
from index.types import Rows

from .reranking import Asked, Judge, read

_WORTH_TELLING = 0.05


@dataclass(frozen=True, slots=True)
class Contribution:
    """Parts of one total, on its own scale.

    text: what the words of query and document gave. time: what the time gate added; None when it did not speak.
    fits: feature of `index.fit` → what it added; only those worth telling.
    """

    text: float
    time: float | None
    fits: Mapping[str, float]


def contributions(rows: Sequence[int], asked: Asked, judge: Judge, gate: bool) -> Mapping[int, Contribution]:
    """The parts of the totals of `rows`. The network reads them again without its gate: that is the difference."""
    chosen: Rows = np.asarray(rows, np.int64)
    if not len(chosen):
        return {}
    reading = read(chosen, asked)
    plain = judge.reranker.score(asked.text, reading.texts, reading.timings, gated=False).logits
    heard = judge.reranker.score(asked.text, reading.texts, reading.timings).logits if gate else plain
    weights = judge.blend.fits
    return {
        row: Contribution(
            text=judge.blend.logit * float(plain[at]),
            time=judge.blend.logit * float(heard[at] - plain[at]) if gate else None,
            fits={
                name: float(value * weight)
                for name, value, weight in zip(FIT_FEATURES, reading.fits[at], weights, strict=True)
                if abs(value * weight) >= _WORTH_TELLING
            },
        )
        for at, row in enumerate(chosen.tolist())
        if np.isfinite(plain[at]) and np.isfinite(heard[at])
    }
