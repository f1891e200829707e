"""How a search is carried out, as data: an arm of an experiment or a system of an evaluation is just a plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from index.fusion import Fusion

Leg = Literal["lexical", "okapi", "dense", "alias"]


@dataclass(frozen=True, slots=True)
class Reranking:
    """How the fused candidates are read again.

    depth: how many at most. gate: whether the time gate speaks. closed_penalty: points of the total that a document
    loses whose every window is closed at `as_of`, the plain rule in a soft form; 0 = the gate alone. adaptive: read in
    waves of `wave` and stop when the best `settled` can no longer change; otherwise all of them are read.
    """

    depth: int = 50
    gate: bool = True
    closed_penalty: float = 0.0
    adaptive: bool = True
    wave: int = 8
    settled: int = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to search.

    legs: what retrieves, in the order it runs. depth: how many candidates a leg keeps. fusion: how they are combined.
    certain_weight: how many times its weight a leg counts that is certain of what was meant, so that what it found goes
    first. rerank: how a cross-encoder reads the fused candidates again; None = not at all. open_first: documents whose
    every window is closed at `as_of` go last, order kept otherwise. collapse: one hit per programme. window: how many
    candidates are ranked for paging. budget_ms: once it is spent, what has not begun is left out and the answer says
    so; None = no limit.
    """

    system: str
    legs: tuple[Leg, ...]
    fusion: Fusion = field(default_factory=Fusion)
    depth: int = 200
    certain_weight: float = 100.0
    rerank: Reranking | None = None
    open_first: bool = False
    collapse: bool = True
    window: int = 100
    budget_ms: float | None = None
