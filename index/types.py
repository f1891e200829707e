"""The nouns that flow through retrieval, and *the* ordering function. Imports nothing of ours.

A **row** is the 0-based position of a document inside one snapshot. Rows are assigned in ascending
document id, so "score descending, then id ascending" is "score descending, then row ascending".
A **rank** is 1-based.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Vector = NDArray[np.float32]
Mask = NDArray[np.bool_]

AvailabilityState = Literal["open", "upcoming", "rolling", "unknown", "closed"]
UnknownPolicy = Literal["include", "exclude"]
Level = Literal["bachelor", "master", "phd", "postdoc", "highschool", "vocational", "other"]


@dataclass(frozen=True, slots=True)
class RankedList:
    """What every stage takes and gives: rows in *the* order, no duplicates, all scores finite.

    rows: (n,) int64; scores: (n,) float32, higher is better, comparable only inside this list.
    """

    rows: Rows
    scores: Vector

    def __len__(self) -> int:
        return len(self.rows)

    def cut(self, depth: int) -> RankedList:
        """The first `depth` candidates."""
        return RankedList(self.rows[:depth], self.scores[:depth])


EMPTY = RankedList(np.empty(0, np.int64), np.empty(0, np.float32))


def ordered(rows: Rows, scores: Vector, depth: int | None = None) -> RankedList:
    """The candidates by score descending, then row ascending, cut to `depth`.

    rows, scores: (n,), any order, no duplicate rows. Raises ValueError on a non-finite score.
    """
    if not np.isfinite(scores).all():
        raise ValueError("scores must be finite")
    if depth is not None and 0 < depth < len(rows):
        # Everything that ties with the depth-th score must survive the partition, or ties would break by chance.
        threshold = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        keep = scores >= threshold
        rows, scores = rows[keep], scores[keep]
    order = np.lexsort((rows, -scores))
    if depth is not None:
        order = order[:depth]
    return RankedList(np.ascontiguousarray(rows[order]), np.ascontiguousarray(scores[order]))


@dataclass(frozen=True, slots=True)
class MinAmount:
    """The least yearly-or-stated amount asked for, in one currency."""

    value: float
    currency: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Hard constraints of one query. Empty tuple or None means "not asked".

    Countries are ISO 3166-1 alpha-2 upper case; languages are BCP 47 primary tags; the deadline range is
    inclusive on both days. `unknown` says what a filter does with a document that does not state the fact.
    """

    host_countries: tuple[str, ...] = ()
    nationality: str | None = None
    levels: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    provider: str | None = None
    languages: tuple[str, ...] = ()
    min_amount: MinAmount | None = None
    availability: tuple[AvailabilityState, ...] = ()
    deadline_from: date | None = None
    deadline_to: date | None = None
    unknown: UnknownPolicy = "include"


@dataclass(frozen=True, slots=True)
class Profile:
    """The asker, as far as they chose to say. Never logged."""

    nationality: str | None = None
    residence: str | None = None
    level: str | None = None
    fields: tuple[str, ...] = ()
    birth_year: int | None = None
    gender: str | None = None
    gpa: float | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What somebody typed, at a time, with filters. `as_of` is an aware instant; `zone` is an IANA name."""

    query_id: str
    text: str
    as_of: datetime
    zone: str = "UTC"
    lang: str | None = None
    filters: Filters = field(default_factory=Filters)
    profile: Profile | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document that is scored and shown. `ordinal` is 0-based within the document."""

    row: int
    ordinal: int
    text: str


class Encoder(Protocol):
    """A bi-encoder: queries and passages to unit vectors of one space."""

    @property
    def name(self) -> str:
        """The registry name, e.g. `e5-small`."""

    @property
    def dimension(self) -> int:
        """Length D of a vector."""

    @property
    def fingerprint(self) -> str:
        """A short hash of everything that changes a vector: weights, prompts, pooling, length limit."""

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """(n, D) float32, unit length, one row per query text."""

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        """(n, D) float32, unit length, one row per passage text."""
