"""Mixing two rankings by team draft, so that one page of hits asks every user which ranking they prefer.

Radlinski, Kurup and Joachims (CIKM 2008): in every round a coin says who picks first; each picks the best of its
own that is not taken yet. A click counts for the team that picked the hit. When a ranking has nothing more to pick,
the rest of the other follows and counts for nobody.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

Team = Literal["a", "b"]


@dataclass(frozen=True, slots=True)
class Pick:
    """team: from whose ranking. place: where in it, from 0. counts: whether a click on it counts for the team."""

    team: Team
    place: int
    counts: bool


def draft(a: Sequence[Hashable], b: Sequence[Hashable], rng: np.random.Generator) -> list[Pick]:
    """The picks in the order they are shown; every key of either ranking once.

    a, b: what each ranking would show, best first, as keys: equal keys are the same thing to a reader.
    """
    rankings: dict[Team, Sequence[Hashable]] = {"a": a, "b": b}
    at: dict[Team, int] = {"a": 0, "b": 0}
    taken: set[Hashable] = set()
    picks: list[Pick] = []

    def next_of(team: Team) -> int | None:
        ranking = rankings[team]
        while at[team] < len(ranking) and ranking[at[team]] in taken:
            at[team] += 1
        return at[team] if at[team] < len(ranking) else None

    def pick(team: Team, counts: bool) -> bool:
        place = next_of(team)
        if place is None:
            return False
        taken.add(rankings[team][place])
        picks.append(Pick(team, place, counts))
        return True

    while next_of("a") is not None and next_of("b") is not None:
        first, second = _turn(rng)
        pick(first, True)
        # With nothing left the second cannot answer, and the first would be one pick ahead: it counts for nobody.
        if not pick(second, True):
            picks[-1] = Pick(first, picks[-1].place, False)
    while pick("a", False) or pick("b", False):
        pass
    return picks


def _turn(rng: np.random.Generator) -> tuple[Team, Team]:
    return ("a", "b") if rng.random() < 0.5 else ("b", "a")
