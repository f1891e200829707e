"""Putting a ranked window in the order a caller asked for: by deadline, amount, title or date of change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np

from index.analyzer import fold
from index.snapshot import Snapshot
from index.types import RankedList, Rows

from .call import SortKey

_EPOCH = datetime.min.replace(tzinfo=UTC)


def arrange(ranked: RankedList, keys: Sequence[SortKey], snapshot: Snapshot, as_of: datetime) -> Rows:
    """The rows of `ranked` by `keys`, the first weighing most; ties by relevance, then row.

    A "-" reverses a key. Documents that do not state a fact come after those that do, either way.
    """
    rows = list(enumerate(ranked.rows.tolist()))
    for key in reversed(keys):  # stable sorts, the weightiest last
        if key == "relevance":
            rows.sort(key=lambda pair: pair[0])
            continue
        descending = key.startswith("-")
        value = _values(key.removeprefix("-"), snapshot, as_of)
        stated = [pair for pair in rows if value(pair[1]) is not None]
        missing = [pair for pair in rows if value(pair[1]) is None]
        stated.sort(key=lambda pair: value(pair[1]), reverse=descending)  # type: ignore[arg-type, return-value]
        rows = stated + missing
    return np.array([row for _, row in rows], np.int64)


def _values(key: str, snapshot: Snapshot, as_of: datetime) -> Callable[[int], float | str | None]:
    """What a document is sorted by; None where it does not say."""
    columns = snapshot.columns
    if key == "deadline":
        days = columns.closes_on(as_of)
        return lambda row: None if np.isnat(days[row]) else float(days[row].astype(np.int64))
    if key == "amount":
        return lambda row: _known(np.nanmax([columns.most[row], columns.least[row], -1.0]))
    if key == "updated":
        return lambda row: _timestamp(snapshot.corpus[row].updated_at)
    return lambda row: fold(snapshot.corpus[row].title)


def _known(amount: float) -> float | None:
    return float(amount) if amount >= 0 else None


def _timestamp(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None
