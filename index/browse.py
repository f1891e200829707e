"""The order of a list that nobody asked a question about: what one can apply for soonest comes first."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from index.columns import Columns
from index.types import EMPTY, Mask, RankedList, Rows


def browse(columns: Columns, allowed: Mask, as_of: datetime) -> RankedList:
    """All allowed rows: by availability (open, rolling, upcoming, unknown, closed), then soonest, then row.

    Scores are positions counted from the end, so that they descend; they mean nothing else.
    """
    rows: Rows = np.flatnonzero(allowed)
    if not len(rows):
        return EMPTY
    shown = columns.shown(as_of)
    order = np.lexsort((rows, shown.soonest[rows], shown.rank[rows]))
    return RankedList(rows[order], np.arange(len(rows), 0, -1, dtype=np.float32))
