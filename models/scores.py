"""What a reranker says of the pairs it read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Scores:
    """One query against n documents.

    logits: (n,) float32, higher is better, comparable inside one query; not finite where the network failed, which the
    caller has to see. truncated: (n,) whether a text was cut.
    """

    logits: NDArray[np.float32]
    truncated: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.logits)


NOTHING = Scores(np.empty(0, np.float32), np.empty(0, np.bool_))
