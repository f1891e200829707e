"""What a list of scored candidates costs.

Everything is (L, C): L lists, padded to C candidates, `mask` true on the real ones. Each function gives (L,) costs ≥ 0,
0 for a list that teaches nothing, so that a step may be computed in parts and divided by the lists that count.

    listwise      ListNet's top-one cross entropy between the share of gain and the softmax of the logits
                  (Cao et al., ICML 2007)
    margin        hinge over every pair of different grades: the better one is to lead by `step` per grade
    distillation  KL divergence from the teacher's softmax to the student's, times temperature² so that its gradient
                  keeps its size (Hinton et al., 2015)

Grades read off clicks are seen only where a hit was looked at: `weights` (L, C) then says for how many such grades one
stands (Joachims, Swaminathan and Schnabel, WSDM 2017); None = each for itself.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from training.settings import Gains

_NEVER = -1e30
"""Stands for a logit that is not there: its softmax is exactly 0 in float32, and unlike -inf it has a gradient."""


def has_order(grades: Tensor, mask: Tensor) -> Tensor:
    """(L,) bool: true where two candidates differ in grade, so that there is an order to learn."""
    highest = grades.masked_fill(~mask, float("-inf")).amax(dim=1)
    lowest = grades.masked_fill(~mask, float("inf")).amin(dim=1)
    return highest > lowest


def has_teacher(teacher: Tensor, mask: Tensor) -> Tensor:
    """(L,) bool: true where a teacher scored at least two candidates; the others are NaN."""
    return (mask & torch.isfinite(teacher)).sum(dim=1) >= 2


def listwise(
    logits: Tensor, grades: Tensor, mask: Tensor, gains: Gains, weights: Tensor | None = None
) -> Tensor:
    """(L,) costs; `grades` are 0-3. A list in perfect proportion costs 0: the target's own entropy is taken off."""
    gain = (torch.exp2(grades) - 1.0 if gains == "exponential" else grades) * mask
    if weights is not None:
        gain = gain * weights
    share = gain / gain.sum(dim=1, keepdim=True).clamp_min(1e-12)
    log_softmax = functional.log_softmax(logits.float().masked_fill(~mask, _NEVER), dim=1)
    divergence = share * (share.clamp_min(1e-12).log() - log_softmax.masked_fill(~mask, 0.0))
    return divergence.sum(dim=1) * has_order(grades, mask)


def margin(
    logits: Tensor, grades: Tensor, mask: Tensor, step: float, weights: Tensor | None = None
) -> Tensor:
    """(L,) costs: the mean over the ordered pairs of a list of max(0, step × gap of grades − gap of logits).

    A pair counts with the weight of the better of the two: that it is better is what was seen.
    """
    scores = logits.float()
    gap = grades.unsqueeze(2) - grades.unsqueeze(1)
    ordered = (gap > 0) & mask.unsqueeze(2) & mask.unsqueeze(1)
    lead = scores.unsqueeze(2) - scores.unsqueeze(1)
    short = (step * gap - lead).clamp_min(0.0) * ordered
    if weights is not None:
        short = short * weights.unsqueeze(2)
    return short.sum(dim=(1, 2)) / ordered.sum(dim=(1, 2)).clamp_min(1)


def distillation(logits: Tensor, teacher: Tensor, mask: Tensor, temperature: float) -> Tensor:
    """(L,) costs over the candidates that the teacher scored (NaN on the others)."""
    known = mask & torch.isfinite(teacher)
    ours = functional.log_softmax(logits.float().masked_fill(~known, _NEVER) / temperature, dim=1)
    theirs = functional.log_softmax(teacher.float().masked_fill(~known, _NEVER) / temperature, dim=1)
    gap = (theirs - ours).masked_fill(~known, 0.0)
    return temperature**2 * (theirs.exp() * gap).sum(dim=1) * has_teacher(teacher, mask)
