"""A log as the estimators read it: what was put where, what came of it, and with which chances.

A search fills several places. Under the item-position assumption (Li et al., KDD 2018) what comes of a place depends
on the place and on what stands there alone, so each place is one row; the value of a search is the sum of its rows.
A plain bandit log is the case of one row per search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import EvaluationError

Values = NDArray[np.float64]
Codes = NDArray[np.int64]


class ReplayError(EvaluationError):
    """A log of traffic cannot be read or replayed."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """n rows, every array (n,).

    rewards: what came of the row. propensities: the chance with which the logging policy put there what it put, as it
    was used, above 0 and at most 1. target: the chance with which the other policy would have put the same, 0 to 1.
    searches: code of the search a row belongs to. units: code of who searched. places: code of the place, from 0;
    weights average 1 within a place when the log can answer. contexts, actions: codes of what was decided on and what
    was put there. Raises ReplayError when a chance is none, or nothing is there.
    """

    rewards: Values
    propensities: Values
    target: Values
    searches: Codes
    units: Codes
    places: Codes
    contexts: Codes
    actions: Codes

    def __post_init__(self) -> None:
        if not len(self.rewards):
            raise ReplayError("the log has no row to replay")
        if not np.isfinite(self.rewards).all():
            raise ReplayError("a reward is no finite number")
        if not ((self.propensities > 0) & (self.propensities <= 1)).all():
            raise ReplayError("a propensity is not above 0 and at most 1, so it is no chance that was used")
        if not ((self.target >= 0) & (self.target <= 1)).all():
            raise ReplayError("the other policy's chances are not between 0 and 1")

    @property
    def weights(self) -> Values:
        """(n,) how many times more often the other policy would have put the same."""
        return self.target / self.propensities

    @property
    def searched(self) -> int:
        """How many searches there are."""
        return len(np.unique(self.searches))


def plain(
    rewards: Values,
    propensities: Values,
    target: Values,
    *,
    contexts: Codes | None = None,
    actions: Codes | None = None,
    units: Codes | None = None,
) -> Decisions:
    """The decisions of a bandit log: a row is a search, and a unit where none is given."""
    own = np.arange(len(rewards), dtype=np.int64)
    none = np.zeros(len(rewards), np.int64)
    return Decisions(
        rewards=rewards,
        propensities=propensities,
        target=target,
        searches=own,
        units=own if units is None else units,
        places=none,
        contexts=none if contexts is None else contexts,
        actions=none if actions is None else actions,
    )
