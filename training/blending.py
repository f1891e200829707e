"""Learning how much the first stage, an award's fit and the network's logit count in the score that ranks.

    total = w_first · fused / best fused + Σ w_k · fit_k + w_logit · logit

The weights minimise the listwise cost of examples the network was not trained on, plus a ridge; the first stage and the
logit may only count for, not against. Two figures are read off the same examples: a logit that hardly any candidate
exceeds, by which reading may stop early, and the logit of what usually stands below the top. Last, a logistic fit
(Platt, 1999) of total → P(grade ≥ 2), so that a score can be read as a chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evaluation.calibration import calibrate
from training.example import Example
from training.validation import RELEVANT_GRADE

Values = NDArray[np.float64]

_HIGHEST_SHARE = 0.995
_USUAL_SHARE = 0.35
# Standard deviations above the logits that were read: careful, until it is chosen on judged queries.
_REACH = 3.0


@dataclass(frozen=True, slots=True)
class Blending:
    """The learned weights, as a checkpoint keeps them; `app.blend` says what each is."""

    first: float
    logit: float
    fits: dict[str, float]
    highest_logit: float
    usual_logit: float
    reach: float
    scale: float
    offset: float
    alone_scale: float
    alone_offset: float
    fit_fingerprint: str

    def record(self) -> dict[str, object]:
        """Plain values for a manifest."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _List:
    """One example: (C, K) features and (C,) shares of gain."""

    features: Values
    share: Values


def learn(
    examples: Sequence[Example],
    logits: Sequence[NDArray[np.float32]],
    names: Sequence[str],
    fingerprint: str,
    ridge: float = 1e-3,
) -> Blending:
    """The weights for `examples` and the network's `logits` of their candidates, one (C,) each.

    names: of the fit features every candidate has; fingerprint: of the rules that made them. Raises ValueError when
    no example has both a useful candidate and a first stage's scores.
    """
    lists = [
        _list(example, found) for example, found in zip(examples, logits, strict=True) if _teaches(example)
    ]
    if not lists:
        raise ValueError(
            "no example to learn the blend from: none has a useful candidate and scores of a first stage"
        )
    width = lists[0].features.shape[1]
    bounds = [(0.0, None), *[(None, None)] * (width - 2), (0.0, None)]
    found = minimize(_cost, np.r_[1.0, np.zeros(width - 2), 0.5], (lists, ridge), jac=True, bounds=bounds)
    weights = found.x
    every = np.concatenate([each.features[:, -1] for each in lists])
    useful = np.concatenate([_useful(example) for example in examples if _teaches(example)])
    totals = calibrate(np.concatenate([each.features @ weights for each in lists]), useful)
    alone = calibrate(every, useful)
    return Blending(
        first=float(weights[0]),
        logit=float(weights[-1]),
        fits={name: float(weight) for name, weight in zip(names, weights[1:-1], strict=True)},
        highest_logit=float(np.quantile(every, _HIGHEST_SHARE)),
        usual_logit=float(np.quantile(every, _USUAL_SHARE)),
        reach=_REACH,
        scale=totals.scale,
        offset=totals.offset,
        alone_scale=alone.scale,
        alone_offset=alone.offset,
        fit_fingerprint=fingerprint,
    )


def _teaches(example: Example) -> bool:
    scored = all(candidate.fused is not None and candidate.fits for candidate in example.candidates)
    return scored and 0 < sum(c.grade >= RELEVANT_GRADE for c in example.candidates) < len(example.candidates)


def _list(example: Example, logits: NDArray[np.float32]) -> _List:
    fused = np.array([candidate.fused for candidate in example.candidates], np.float64)
    fits = np.array([candidate.fits for candidate in example.candidates], np.float64)
    best = float(np.abs(fused).max(initial=0.0)) or 1.0
    gain = np.exp2([candidate.grade for candidate in example.candidates]) - 1.0
    return _List(np.column_stack([fused / best, fits, np.asarray(logits, np.float64)]), gain / gain.sum())


def _cost(weights: Values, lists: Sequence[_List], ridge: float) -> tuple[float, Values]:
    """ListNet's cross entropy over the lists, with its gradient."""
    cost, gradient = ridge * float(weights @ weights), 2.0 * ridge * weights
    for each in lists:
        scores = each.features @ weights
        scores -= scores.max()
        log_sum = float(np.log(np.exp(scores).sum()))
        cost += float(each.share @ (log_sum - scores)) / len(lists)
        gradient = gradient + each.features.T @ (np.exp(scores - log_sum) - each.share) / len(lists)
    return cost, gradient


def _useful(example: Example) -> Values:
    return np.array([candidate.grade >= RELEVANT_GRADE for candidate in example.candidates], np.float64)
