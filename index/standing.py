"""Which passage each vector is of, so that vectors stay where they are while passages come and go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.types import Rows


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Which passage each of N vectors is of.

    owners, places: (N,) the document row and the passage position of each vector, -1 where its passage was removed.
    order: (L,) the vectors that stand, by place. rows: (L,) their document rows, which therefore ascend.
    """

    owners: Rows
    places: Rows
    order: Rows
    rows: Rows

    @staticmethod
    def of(owners: Rows, places: Rows) -> Standing:
        """The standing of vectors with these owners and places."""
        standing = np.flatnonzero(places >= 0)
        order = standing[np.argsort(places[standing], kind="stable")]
        return Standing(owners, places, order, owners[order])
