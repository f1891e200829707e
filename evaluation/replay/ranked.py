"""Logged searches as decisions: one row for each of the first places, and a model of what comes of a place.

Which metric is taken, per search, over the first `FIRST` ranks:

    clicks@5      how many hits were clicked
    ctr@1         1 when the first hit was clicked
    click_mrr@5   1 / rank of the first click, 0 without one
    ctr@5         1 when anything was clicked

Each is a sum over places. The last two are credited to the place of the first click; that a first click depends on its
own place and hit alone holds only nearly, the better the rarer clicks are: hits above it matter a little.

The model: what a place earns on average, times how much more than that the document earned, in this query and in all;
both shrunk towards 1. Fitted on the units of other folds than those it speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .decisions import Codes, Decisions, ReplayError, Values
from .estimators import Foretold
from .rewards import FOLDS
from .searches import LoggedSearch

FIRST = 5
METRICS: Mapping[str, Callable[[int, bool], float]] = {
    "click_mrr@5": lambda rank, first: first / rank,
    "ctr@5": lambda _rank, first: float(first),
    "ctr@1": lambda rank, _first: float(rank == 1),
    "clicks@5": lambda _rank, _first: 1.0,
}
"""Metric → what a click earns at a rank from 1 to 5, and whether it is the search's first."""
_STRENGTH = 1.0
"""Expected earnings at which what a document earned counts as much as what was assumed."""


@dataclass(frozen=True, slots=True)
class Places:
    """n logged places, all (n,). queries, draws, units, searches, shown, wanted: codes; ranks from 1.

    queries: the same words on the same day. draws: the same query answered by the same system, so that chances are of
    one draw. wanted: the document that the other system has at the place, -1 where it has none.
    """

    rewards: Values
    propensities: Values
    queries: Codes
    draws: Codes
    units: Codes
    searches: Codes
    ranks: Codes
    shown: Codes
    wanted: Codes

    def decisions(self) -> Decisions:
        """As the estimators read it."""
        return Decisions(
            rewards=self.rewards,
            propensities=self.propensities,
            target=(self.shown == self.wanted).astype(np.float64),
            searches=self.searches,
            units=self.units,
            places=self.ranks - 1,
            contexts=self.draws * FIRST + self.ranks - 1,
            actions=self.shown,
        )


def places(searches: Sequence[LoggedSearch], wanted: Mapping[str, Sequence[str]], metric: str) -> Places:
    """The first places of searches that explored. wanted: by query id, what the other system ranks first.

    Raises ReplayError for a metric that is none, and where no place has a propensity.
    """
    if metric not in METRICS:
        raise ReplayError(f"no metric {metric!r}: {', '.join(METRICS)}")
    earns = METRICS[metric]
    rows: list[tuple[float, float, int, int, int, int, int, int, int]] = []
    codes: dict[str, dict[object, int]] = {"query": {}, "draw": {}, "unit": {}, "document": {}}

    def code(kind: str, name: object) -> int:
        return codes[kind].setdefault(name, len(codes[kind]))

    for at, one in enumerate(searches):
        first = min((h.rank for h in one.hits if one.deed(h.doc_id).clicked), default=None)
        ranking = wanted[one.query_id]
        # The same words ask for something else another day; only a day's searches are one query.
        words = (one.text, one.at.date(), repr(one.filters))
        query, draw = code("query", words), code("draw", (words, one.system, one.fingerprint))
        for hit in one.hits:
            if hit.rank > FIRST or hit.propensity is None:
                continue
            other = code("document", ranking[hit.rank - 1]) if hit.rank <= len(ranking) else -1
            reward = earns(hit.rank, hit.rank == first) if one.deed(hit.doc_id).clicked else 0.0
            shown = code("document", hit.doc_id)
            unit = code("unit", one.unit)
            rows.append((reward, hit.propensity, query, draw, unit, at, hit.rank, shown, other))
    if not rows:
        raise ReplayError("no search of the log says with what chance its hits stood where they stood")
    rewards, chances, *whole = (np.array(column) for column in zip(*rows, strict=True))
    return Places(
        rewards.astype(np.float64), chances.astype(np.float64), *(c.astype(np.int64) for c in whole)
    )


def foretold(found: Places, rng: np.random.Generator, folds: int = FOLDS) -> Foretold:
    """What the model says of each place: with what was shown there, and with what the other system has there."""
    _, unit = np.unique(found.units, return_inverse=True)
    fold = rng.permutation(int(unit.max()) + 1)[unit] % folds
    logged, target = np.zeros(len(fold)), np.zeros(len(fold))
    for held in range(folds):
        spoken = fold == held
        model = _Model.of(found, fold != held)
        logged[spoken] = model.say(found.ranks[spoken], found.queries[spoken], found.shown[spoken])
        target[spoken] = model.say(found.ranks[spoken], found.queries[spoken], found.wanted[spoken])
    return Foretold(logged, target)


@dataclass(frozen=True, slots=True)
class _Model:
    """of_rank: (6,) earnings by rank. of_document: (D,) and of_pair: (query, document) → times the usual."""

    of_rank: Values
    of_document: Values
    of_pair: Mapping[tuple[int, int], float]

    @staticmethod
    def of(found: Places, seen: NDArray[np.bool_]) -> _Model:
        ranks, shown, rewards = found.ranks[seen], found.shown[seen], found.rewards[seen]
        count = np.bincount(ranks, minlength=FIRST + 1)
        of_rank = np.bincount(ranks, rewards, minlength=FIRST + 1) / np.maximum(count, 1)
        usual = of_rank[ranks]
        documents = int(max(found.shown.max(), found.wanted.max())) + 1
        earned = np.bincount(shown, rewards, minlength=documents)
        expected = np.bincount(shown, usual, minlength=documents)
        of_document = (earned + _STRENGTH) / (expected + _STRENGTH)
        pairs, which = np.unique(np.stack([found.queries[seen], shown]), axis=1, return_inverse=True)
        own, hoped = np.bincount(which.ravel(), rewards), np.bincount(which.ravel(), usual)
        factor = (own + _STRENGTH * of_document[pairs[1]]) / (hoped + _STRENGTH)
        of_pair = dict(zip(map(tuple, pairs.T.tolist()), factor.tolist(), strict=True))
        return _Model(of_rank, of_document, of_pair)

    def say(self, ranks: Codes, queries: Codes, documents: Codes) -> Values:
        """(n,) the foretold earnings; 0 where nothing stands."""
        factor = [
            0.0 if document < 0 else self.of_pair.get((query, document), float(self.of_document[document]))
            for query, document in zip(queries.tolist(), documents.tolist(), strict=True)
        ]
        return np.asarray(self.of_rank[ranks] * np.array(factor))
