"""How often each rank is looked at, from clicks: the chance of rank k relative to that of rank 1.

A hit is clicked when it is looked at and attracts (Richardson et al., 2007): P(click) = examination(rank) ·
attraction(query, document). Three estimates, by what the log offers:

    harvested   compares the same hit of the same query at two ranks (intervention harvesting by all pairs; Agarwal et
                al., WSDM 2019). Needs queries that come again while their order changes, by chance or by a new system.
    weighed     clicks over the chance of the rank, where every hit might have stood on every rank (Plackett-Luce arm);
                queries need not come again
    fitted      expectation maximisation of the model (Wang et al., WSDM 2018); always gives figures, but where orders
                never change they rest on the model alone

All assume that whether a rank is looked at does not depend on the hits above it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .decisions import Codes, ReplayError, Values


@dataclass(frozen=True, slots=True)
class Shows:
    """n hits that were shown, all (n,). pairs: code of (query, document), from 0. ranks: from 1."""

    pairs: Codes
    ranks: Codes
    clicked: NDArray[np.bool_]
    propensities: Values

    def first(self, ranks: int) -> Shows:
        """The hits of the first `ranks` ranks."""
        keep = self.ranks <= ranks
        return Shows(self.pairs[keep], self.ranks[keep], self.clicked[keep], self.propensities[keep])


def weighed(shows: Shows, ranks: int) -> Values:
    """(ranks,) examination by clicks over propensities; each hit must have had a chance on every rank."""
    shows = _answerable(shows.first(ranks))
    earned = np.bincount(shows.ranks - 1, shows.clicked / shows.propensities, minlength=ranks)
    return _relative(np.asarray(earned, np.float64))


def harvested(shows: Shows, ranks: int) -> Values:
    """(ranks,) examination by all pairs of ranks. Raises ReplayError where a rank shares no hit with another."""
    shows = _answerable(shows.first(ranks))
    count, click = (
        np.zeros((int(shows.pairs.max()) + 1, ranks)),
        np.zeros((int(shows.pairs.max()) + 1, ranks)),
    )
    np.add.at(count, (shows.pairs, shows.ranks - 1), 1.0)
    np.add.at(click, (shows.pairs, shows.ranks - 1), shows.clicked)
    clicked, passed = np.zeros((ranks, ranks)), np.zeros((ranks, ranks))
    for here in range(ranks):
        for there in range(ranks):
            both = (count[:, here] > 0) & (count[:, there] > 0)
            if here == there or not both.any():
                continue
            own, other = count[both, here], count[both, there]
            weight = own * other / (own + other)
            rate = click[both, here] / own
            clicked[here, there] = float((weight * rate).sum())
            passed[here, there] = float((weight * (1 - rate)).sum())
    _refuse_islands(clicked + passed)
    return _all_pairs(clicked, passed)


@dataclass(frozen=True, slots=True)
class Fitted:
    """examination: (ranks,), 1 at rank 1. attraction: (pairs,); their product is the chance of a click."""

    examination: Values
    attraction: Values

    def log_likelihood(self, shows: Shows) -> float:
        """Of the clicks on `shows`."""
        chance = self.examination[shows.ranks - 1] * self.attraction[shows.pairs]
        return float(np.where(shows.clicked, np.log(chance), np.log1p(-chance)).sum())


def fitted(shows: Shows, ranks: int, rounds: int = 500, tolerance: float = 1e-7) -> Fitted:
    """The model of the first `ranks` ranks by expectation maximisation, until no figure moves by `tolerance`."""
    shows = _answerable(shows.first(ranks))
    at, pairs, clicked = shows.ranks - 1, shows.pairs, shows.clicked
    examined = np.linspace(0.9, 0.3, ranks)
    attracts = np.full(int(pairs.max()) + 1, 0.3)
    shown_at = np.maximum(np.bincount(at, minlength=ranks), 1)
    shown_pair = np.maximum(np.bincount(pairs, minlength=len(attracts)), 1)
    for _ in range(rounds):
        look, draw = examined[at], attracts[pairs]
        missed = 1 - look * draw
        looked = np.where(clicked, 1.0, look * (1 - draw) / missed)
        drew = np.where(clicked, 1.0, draw * (1 - look) / missed)
        found = np.clip(np.bincount(at, looked, minlength=ranks) / shown_at, 1e-6, 1 - 1e-6)
        attracts = np.clip(np.bincount(pairs, drew, minlength=len(attracts)) / shown_pair, 1e-6, 1 - 1e-6)
        moved = float(np.abs(found - examined).max())
        examined = found
        if moved < tolerance:
            break
    return Fitted(_relative(examined), attracts * examined[0])


def _answerable(shows: Shows) -> Shows:
    if not shows.clicked[shows.ranks == 1].any():
        raise ReplayError("nothing was clicked at rank 1, so other ranks have nothing to be compared with")
    return shows


def _relative(values: Values) -> Values:
    return np.asarray(values / values[0])


def _refuse_islands(weight: Values) -> None:
    """Every rank must be comparable with rank 1, over others if need be."""
    reached = np.zeros(len(weight), bool)
    reached[0] = True
    for _ in range(len(weight)):
        reached |= (weight[reached] > 0).any(axis=0)
    if not reached.all():
        lone = ", ".join(str(rank + 1) for rank in np.flatnonzero(~reached))
        raise ReplayError(
            f"no hit of a query stood both at rank {lone} and higher up: the order never changed there"
        )


def _all_pairs(clicked: Values, passed: Values) -> Values:
    """The examination of most likelihood; each pair of ranks has an attraction of its own."""
    ranks = len(clicked)
    above = np.triu_indices(ranks, 1)

    def cost(at: Values) -> tuple[float, Values]:
        examined, attracts = _sigmoid(at[:ranks]), np.zeros((ranks, ranks))
        attracts[above] = _sigmoid(at[ranks:])
        attracts += attracts.T
        chance = np.clip(examined[:, None] * attracts, 1e-12, 1 - 1e-12)
        value = -(clicked * np.log(chance) + passed * np.log1p(-chance)).sum()
        by_chance = -(clicked / chance - passed / (1 - chance))
        by_examined = (by_chance * attracts).sum(axis=1) * examined * (1 - examined)
        both = by_chance * examined[:, None]
        by_attracts = (both + both.T)[above] * attracts[above] * (1 - attracts[above])
        return float(value), np.concatenate([by_examined, by_attracts])

    start = np.concatenate([np.linspace(2.0, -1.0, ranks), np.zeros(len(above[0]))])
    found = minimize(
        cost, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-13, "gtol": 1e-9}
    )
    return _relative(_sigmoid(found.x[:ranks]))


def _sigmoid(values: Values) -> Values:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values))
