"""How many of a set of rows have each value of a fact."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from index.availability import AVAILABILITY
from index.columns import Columns
from index.types import Mask, Rows

FACETS: tuple[str, ...] = (
    *("host_countries", "levels", "fields", "availability", "languages", "provider", "currency"),
)
"""The facts that can be counted."""

_Count = tuple[str | None, int]
Facet = tuple[str, list[_Count]]
"""A fact with its values and their counts: most frequent first, then by value, or for states in the order of
`AVAILABILITY`; None, last, is "not stated"."""


def counts(
    columns: Columns, rows: Rows, fields: Sequence[str], as_of: datetime, limit: int | None = None
) -> list[Facet]:
    """The facets of `rows` in the order of `fields`, each with its `limit` most frequent values.

    A row that states several values counts for each. Raises ValueError for a fact that is not in `FACETS`.
    """
    chosen = np.zeros(len(columns), np.bool_)
    chosen[rows] = True
    return [(field, _facet(columns, chosen, field, as_of, limit)) for field in fields]


def _facet(columns: Columns, chosen: Mask, field: str, as_of: datetime, limit: int | None) -> list[_Count]:
    if field not in FACETS:
        raise ValueError(f"{field!r} is not a facet; there are {', '.join(FACETS)}")
    if field == "availability":
        states = np.bincount(columns.states(as_of)[chosen], minlength=len(AVAILABILITY))
        return _ranked(AVAILABILITY, states, limit)
    attribute = columns.attributes[field]
    found = _ranked(attribute.values, attribute.counts(chosen), limit)
    unstated = int(np.count_nonzero(chosen & ~attribute.stated))
    return [*found, (None, unstated)] if unstated else found


def _ranked(values: Sequence[str], number: NDArray[np.int64], limit: int | None) -> list[_Count]:
    # Codes ascend with the values, so a stable sort leaves equals in the order of their values.
    order = np.argsort(-number, kind="stable")[: np.count_nonzero(number)][:limit]
    return [(values[code], count) for code, count in zip(order.tolist(), number[order].tolist(), strict=True)]
