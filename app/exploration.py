"""Shuffling the first hits a little, with the chance that each hit had to stand where it stands.

What is logged is the marginal chance: of all draws, the share in which this hit stands at this rank. Both ways know it
exactly, and it depends on the ranks alone, so it is worked out once for a number of hits.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from index.types import Mask, Rows

from .plan import Exploration

Chances = NDArray[np.float64]


def explore(
    rows: Rows, closed: Mask, exploration: Exploration, rng: np.random.Generator
) -> tuple[Rows, Chances]:
    """The rows with their first ones shuffled, and (n,) of each the chance to stand where it stands.

    closed: (n,) rows that no one can apply for any more. Where they all stand last, none is lifted over an open one.
    """
    count = min(exploration.depth, _leading(closed))
    propensities = np.ones(len(rows))
    if count < 2:
        return rows, propensities
    order = drawn(exploration, count, rng)
    propensities[:count] = chances(exploration, count)[order, np.arange(count)]
    return np.concatenate([rows[:count][order], rows[count:]]), propensities


def drawn(exploration: Exploration, count: int, rng: np.random.Generator) -> Rows:
    """(count,) which place of the ranking, from 0, each shown place gets."""
    if exploration.method == "swap":
        order = np.arange(count)
        for at in range(int(rng.integers(2)), count - 1, 2):
            if rng.random() < exploration.chance:
                order[[at, at + 1]] = order[[at + 1, at]]
        return order
    # The order of weights multiplied by exponential noise is a Plackett-Luce draw (Yellott, 1977).
    drawn_order: Rows = np.argsort(
        -(_log_weights(exploration, count) + rng.gumbel(size=count)), kind="stable"
    )
    return drawn_order


@lru_cache(maxsize=256)
def chances(exploration: Exploration, count: int) -> Chances:
    """(count, count): [i, j] = the chance that what ranks i is shown at place j, both from 0."""
    known = _swap(exploration.chance, count) if exploration.method == "swap" else _luce(exploration, count)
    known.flags.writeable = False
    return known


def _leading(closed: Mask) -> int:
    """How many first rows may change places: all, or those of the first kind where the closed ones stand last."""
    sorted_last = len(closed) and bool((closed[1:] >= closed[:-1]).all())
    if not sorted_last or closed[0]:
        return len(closed)
    return int((~closed).sum())


def _swap(chance: float, count: int) -> Chances:
    """Half of the draws pair ranks 1-2, 3-4 …, the other half 2-3, 4-5 …; each pair changes places with `chance`."""
    found = np.eye(count)
    for at in range(count - 1):
        for here, there in ((at, at + 1), (at + 1, at)):
            found[here, there] += chance / 2
            found[here, here] -= chance / 2
    return found


def _luce(exploration: Exploration, count: int) -> Chances:
    """The marginals of a Plackett-Luce draw, over the sets of hits that can have been taken so far."""
    weights = np.exp(_log_weights(exploration, count))
    reached = np.zeros(1 << count)
    reached[0] = 1.0
    found = np.zeros((count, count))
    # A set comes after all of its subsets in this order.
    for taken in range((1 << count) - 1):
        left = [at for at in range(count) if not taken >> at & 1]
        share = reached[taken] * weights[left] / weights[left].sum()
        found[left, count - len(left)] += share
        for at, part in zip(left, share, strict=True):
            reached[taken | 1 << at] += part
    return found


def _log_weights(exploration: Exploration, count: int) -> Chances:
    return np.asarray(-np.log(np.arange(1, count + 1)) / exploration.temperature)
