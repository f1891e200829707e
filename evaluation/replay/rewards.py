"""A model of what comes of an action in a context, fitted on other units than those it speaks of.

A mean of few rows is pulled towards the action's mean over all contexts, and that towards the overall mean, as if
`strength` more rows had shown it. Nothing here has to be right for `dr` to be: it only has to be fitted apart.
"""

from __future__ import annotations

import numpy as np

from .decisions import Codes, Decisions, Values
from .estimators import Foretold

FOLDS = 5
STRENGTH = 100.0


def shrunken(
    contexts: Codes, actions: Codes, rewards: Values, shape: tuple[int, int], strength: float
) -> Values:
    """(X, A) the foretold reward of every action in every context."""
    overall = float(rewards.mean()) if len(rewards) else 0.0
    count, total = np.zeros(shape), np.zeros(shape)
    np.add.at(count, (contexts, actions), 1.0)
    np.add.at(total, (contexts, actions), rewards)
    of_action = (total.sum(axis=0) + strength * overall) / (count.sum(axis=0) + strength)
    return np.asarray((total + strength * of_action) / (count + strength))


def cross_fitted(
    decisions: Decisions,
    policy: Values,
    rng: np.random.Generator,
    folds: int = FOLDS,
    strength: float = STRENGTH,
) -> Foretold:
    """What the model says of each row, fitted on the units of the other folds.

    policy: (X, A) the other policy's chances of every action in every context of `decisions`.
    """
    _, unit = np.unique(decisions.units, return_inverse=True)
    fold = rng.permutation(int(unit.max()) + 1)[unit] % folds
    contexts, actions = decisions.contexts, decisions.actions
    logged, target = np.zeros(len(fold)), np.zeros(len(fold))
    for held in range(folds):
        seen, spoken = fold != held, fold == held
        model = shrunken(contexts[seen], actions[seen], decisions.rewards[seen], policy.shape, strength)
        logged[spoken] = model[contexts[spoken], actions[spoken]]
        target[spoken] = (policy * model).sum(axis=1)[contexts[spoken]]
    return Foretold(logged, target)
