"""The weights and the rarity table made anew from the judged pairs and the records they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import minimize

from .comparison import FEATURES, compare
from .decision import Weights
from .judged import Judged
from .rarity import counted, rarity
from .sketch import Sketch

_RIDGE = 0.3
"""Holds the weights back: there are some hundreds of pairs for a score of features."""


def counts(known: Mapping[str, Sketch]) -> dict[str, int]:
    """How many names hold each term, a name counted once per giver."""
    return counted({(one.names[0].terms, one.giver): one.names[0].terms for one in known.values()}.values())


def fitted(pairs: Sequence[Judged], known: Mapping[str, Sketch]) -> Weights:
    """The weights under which the judgements are likeliest (logistic regression with an L2 penalty)."""
    values = [(1.0, *compare(known[one.first], known[one.second], rarity()).values) for one in pairs]
    design = np.array(values, np.float64)
    same = np.array([one.same for one in pairs], np.float64)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        odds = design @ weights
        penalised = np.concatenate(([0.0], weights[1:]))
        cost = float((np.logaddexp(0.0, odds) - same * odds).sum() + _RIDGE / 2 * (penalised @ penalised))
        return cost, design.T @ (1.0 / (1.0 + np.exp(-odds)) - same) + _RIDGE * penalised

    found = minimize(
        loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 1000}
    ).x
    return Weights(float(found[0]), dict(zip(FEATURES, map(float, found[1:]), strict=True)))
