"""How the first stage, the fit of an award and the reranker's logit make one score.

    prior = w_first · fused / best fused + Σ w_k · fit_k
    total = prior + w_logit · logit

The prior costs next to nothing and is known for every candidate before the network has read one, which is what
makes it possible to stop early. The weights are learned (training.blending) and travel with the checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from index.fit import FIT_FEATURES, Fit, fit_fingerprint
from index.types import Vector

_WEIGHTS = ("first", "logit", "highest_logit", "usual_logit", "reach")


@dataclass(frozen=True, slots=True)
class Blend:
    """The weights.

    fits: one a feature of `FIT_FEATURES`. highest_logit: what hardly any candidate exceeds. usual_logit: what a
    candidate that was not read is taken to have. reach: how many standard deviations above the mean of the logits that
    were read one that was not is taken to come at best. scale, offset: P(useful) = σ(scale · total + offset), fitted on
    graded pairs; the scale that `min_score` calls "rerank". alone_scale, alone_offset: the same of the logit alone,
    for texts that no first stage found.
    """

    first: float
    logit: float
    fits: tuple[float, ...]
    highest_logit: float
    usual_logit: float
    reach: float = math.inf
    scale: float = 1.0
    offset: float = 0.0
    alone_scale: float = 1.0
    alone_offset: float = 0.0

    @staticmethod
    def of(stated: Mapping[str, Any]) -> Blend:
        """The blend a checkpoint states. Raises ValueError when it was learned on other features than are here."""
        if stated["fit_fingerprint"] != fit_fingerprint():
            raise ValueError(f"learned on {stated['fit_fingerprint']}, here is {fit_fingerprint()}")
        numbers = {
            name: float(stated[name])
            for name in (*_WEIGHTS, "scale", "offset", "alone_scale", "alone_offset")
        }
        return Blend(fits=tuple(float(stated["fits"][name]) for name in FIT_FEATURES), **numbers)

    def prior(self, fused: Vector, fits: Fit) -> Vector:
        """(n,) float32: what is known before reading. fused: (n,) scores of the first stage; fits: (n, F)."""
        best = float(np.abs(fused).max(initial=0.0)) or 1.0
        prior: Vector = (self.first / best * fused + fits @ np.asarray(self.fits, np.float32)).astype(
            np.float32
        )
        return prior

    def total(self, prior: Vector, logits: Vector) -> Vector:
        """(n,) float32; a logit that is not a number counts as the usual one."""
        known = np.where(np.isfinite(logits), logits, np.float32(self.usual_logit))
        total: Vector = (prior + np.float32(self.logit) * known).astype(np.float32)
        return total

    def most(self, logits: Vector) -> float:
        """How high the logit of a candidate of the same query can be, going by the `logits` that were read."""
        known = logits[np.isfinite(logits)]
        if not len(known) or not math.isfinite(self.reach):
            return self.highest_logit
        return min(self.highest_logit, float(known.mean() + self.reach * known.std()))

    def probability(self, totals: Vector) -> Vector:
        """(n,) float32 in [0, 1]: how likely a person finds each useful (grade 2 or 3)."""
        return _sigmoid(self.scale * totals + self.offset)

    def probability_alone(self, logits: Vector) -> Vector:
        """As `probability`, of texts of which nothing but the logit is known."""
        return _sigmoid(self.alone_scale * logits + self.alone_offset)


def _sigmoid(values: Vector) -> Vector:
    # By tanh, which cannot overflow.
    sigmoid: Vector = (0.5 + 0.5 * np.tanh(0.5 * values)).astype(np.float32)
    return sigmoid
