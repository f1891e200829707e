"""A reranker without weights: shared character trigrams. The shipped fake that keeps tests of the service fast.

It prefers documents that share more with the query, hears time through a plain weighted sum, and knows no meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.scores import Scores

_SCALE = 8.0


@dataclass(frozen=True, slots=True)
class OverlapReranker:
    """Deterministic across processes and machines.

    time_weights: (F,) what each time feature adds to a logit; () for a reranker that is deaf to time.
    max_characters: of a document, before it is cut.
    """

    time_weights: tuple[float, ...] = ()
    max_characters: int = 1000
    name: str = "overlap"

    @property
    def fingerprint(self) -> str:
        """Changes with its settings: there are no weights."""
        return f"overlap-{self.max_characters}-{'_'.join(f'{weight:g}' for weight in self.time_weights) or 'deaf'}"

    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        """The logits of one query against n documents; timings: (n, F). `gated` False leaves time out."""
        asked = _trigrams(query)
        shared = [
            len(asked & _trigrams(text[: self.max_characters])) / max(len(asked), 1) for text in documents
        ]
        logits = np.array([_SCALE * (share - 0.5) for share in shared], np.float32)
        if gated and self.time_weights:
            logits += timings @ np.array(self.time_weights, np.float32)
        cut = np.array([len(text) > self.max_characters for text in documents], np.bool_)
        return Scores(logits, cut)


def _trigrams(text: str) -> set[str]:
    padded = f" {' '.join(text.casefold().split())} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
