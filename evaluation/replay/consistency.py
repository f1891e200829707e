"""Logged chances against what was shown: a chance that was not the one used makes every figure wrong.

Two checks, each with a threshold that a true log passes but once in ten thousand:

    counts   where an action has one chance throughout a context, and the chances of the actions there sum to 1, a
             chi-square test of how often each was shown
    weights  1 / chance over the rows of an action, divided by all rows, is at most 1 on average; far above it, the
             chances are too small
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from .decisions import Codes, Decisions, Values

_ALPHA = 1e-4
_LEAST_EXPECTED = 5.0
_TOLERANCE = 1e-6
_LEAST_ROWS = 30


def contradiction(decisions: Decisions) -> str | None:
    """What is wrong with the logged chances; None when nothing is seen to be."""
    return _counts(decisions) or _weights(decisions)


def _counts(decisions: Decisions) -> str | None:
    """The pooled chi-square over all contexts whose chances are constant and complete."""
    statistic, freedom = 0.0, 0
    order = np.argsort(decisions.contexts, kind="stable")
    bounds = np.flatnonzero(np.diff(decisions.contexts[order])) + 1
    for rows in np.split(order, bounds):
        shown = _constant(decisions.actions[rows], decisions.propensities[rows])
        if shown is None:
            continue
        count, chance = shown
        total = float(chance.sum())
        if total > 1 + _TOLERANCE * len(chance) + 1e-3:
            return f"the chances of one context sum to {total:.3g}"
        if abs(total - 1) > 1e-3 or (len(rows) * chance < _LEAST_EXPECTED).any():
            continue
        expected = len(rows) * chance / total
        statistic += float(((count - expected) ** 2 / expected).sum())
        freedom += len(chance) - 1
    if freedom and (p := float(stats.chi2.sf(statistic, freedom))) < _ALPHA:
        return f"actions were not shown as often as their chances say (chi-square {statistic:.0f}, p {p:.1g})"
    return None


def _constant(actions: Codes, chances: Values) -> tuple[Values, Values] | None:
    """(a,) how often each action was shown and (a,) its one chance; None where a chance varies."""
    _, which = np.unique(actions, return_inverse=True)
    count = np.bincount(which).astype(np.float64)
    least, most = np.full(len(count), np.inf), np.zeros(len(count))
    np.minimum.at(least, which, chances)
    np.maximum.at(most, which, chances)
    return None if (most - least > _TOLERANCE).any() else (count, most)


def _weights(decisions: Decisions) -> str | None:
    """Actions whose 1 / chance averages far above 1, by context-free action and place."""
    rows = len(decisions.rewards)
    _, which = np.unique(decisions.actions, return_inverse=True)
    inverse = 1.0 / decisions.propensities
    total, square = np.bincount(which, inverse), np.bincount(which, inverse**2)
    enough = np.bincount(which) >= _LEAST_ROWS
    # One search fills several places with different actions; per action its rows are nearly independent.
    searches = max(decisions.searched, 1)
    mean = total / searches
    error = np.sqrt(np.maximum(square / searches - mean**2, 0.0) / searches)
    places = len(np.unique(decisions.places))
    z = np.where(enough & (error > 0), (mean - places) / np.maximum(error, 1e-12), 0.0)
    limit = stats.norm.isf(_ALPHA / max(int(enough.sum()), 1))
    if z.max(initial=0.0) > limit:
        worst = int(z.argmax())
        return f"1 / chance of one action averages {mean[worst]:.2f} over {rows} rows, where {places} is the most"
    return None
