"""One row per programme: rounds and duplicate records of one programme do not fill a page."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from index.columns import Columns
from index.types import RankedList, ordered


def collapse(ranked: RankedList, columns: Columns, as_of: datetime) -> RankedList:
    """One candidate per programme, at the place and score of its best-ranked one.

    Shown is the candidate whose window serves the asker best at `as_of`: open and closing soonest, else
    rolling, else opening soonest, else unknown and expected soonest, else closed last; among equals the
    best-ranked.
    """
    if not len(ranked):
        return ranked
    programmes = columns.programmes[ranked.rows]
    _, first, inverse = np.unique(programmes, return_index=True, return_inverse=True)
    if len(first) == len(programmes):
        return ranked
    shown = columns.shown(as_of)
    # A lexsort is stable: equals stay in the order of the ranking.
    order = np.lexsort((shown.soonest[ranked.rows], shown.rank[ranked.rows], inverse))
    _, best = np.unique(inverse[order], return_index=True)
    # Both go by programme: `first` is the best-ranked candidate of each, `order[best]` the best window.
    return ordered(ranked.rows[order[best]], ranked.scores[first])
