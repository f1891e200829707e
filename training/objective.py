"""The loss of a step: lists out of examples, and their costs weighed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from models.pairs import Pair
from training.example import Example
from training.losses import distillation, has_order, has_teacher, listwise, margin
from training.sampler import Draw
from training.settings import LossSettings
from training.student import Student
from training.teacher import Teacher


@dataclass(frozen=True, slots=True)
class RankedPairs:
    """One list: its pairs, and of each the time features (C, F), the grade (C,), the teacher's logit (C,) or NaN.

    weights: (C,) how much each grade counts, None = alike; weight: how much the list's grades count among lists.
    """

    pairs: Sequence[Pair]
    timings: Tensor
    grades: Tensor
    teacher: Tensor
    weights: Tensor | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Objective:
    """Weighs the losses of lists."""

    settings: LossSettings

    def counts(self, lists: Sequence[RankedPairs]) -> dict[str, int]:
        """How many of the lists each loss can learn from; the losses of weight 0 are left out."""
        grades, teacher, mask = _padded(lists)
        ordered, taught = int(has_order(grades, mask).sum()), int(has_teacher(teacher, mask).sum())
        weights = self._weights()
        return {name: taught if name == "distillation" else ordered for name in weights}

    def costs(self, logits: Sequence[Tensor], lists: Sequence[RankedPairs]) -> dict[str, Tensor]:
        """Loss → the sum of its costs over `lists`, a scalar with its graph; `logits` has (C,) for each list."""
        grades, teacher, mask = (part.to(logits[0].device) for part in _padded(lists))
        scores = torch.nn.utils.rnn.pad_sequence(list(logits), batch_first=True)
        chosen, (weights, weight) = self.settings, _grade_weights(lists, grades)
        known = {
            "listwise": lambda: listwise(scores, grades, mask, chosen.gains, weights) * weight,
            "margin": lambda: margin(scores, grades, mask, chosen.margin_step, weights) * weight,
            "distillation": lambda: distillation(scores, teacher, mask, chosen.temperature),
        }
        return {name: known[name]().sum() for name in self._weights()}

    def weighed(self, costs: Mapping[str, Tensor], counts: Mapping[str, int]) -> Tensor:
        """The loss of which the gradient is taken, a scalar: weighted sums over what counts in the whole step."""
        weights = self._weights()
        parts = [weights[name] * cost / max(counts[name], 1) for name, cost in costs.items()]
        return torch.stack(parts).sum()

    def _weights(self) -> dict[str, float]:
        chosen = self.settings
        weights = {
            "listwise": chosen.listwise,
            "margin": chosen.margin,
            "distillation": chosen.distillation,
        }
        return {name: weight for name, weight in weights.items() if weight > 0}


def lists_of(
    draws: Sequence[Draw], examples: Sequence[Example], student: Student, teacher: Teacher
) -> list[RankedPairs]:
    """The drawn lists as the network and the losses read them."""
    return [_list_of(examples[draw.row], draw.kept, student, teacher.get(draw.row)) for draw in draws]


def _list_of(
    example: Example, kept: Sequence[int], student: Student, taught: Sequence[float] | None
) -> RankedPairs:
    candidates = [example.candidates[at] for at in kept]
    weights = [candidate.weight for candidate in candidates]
    return RankedPairs(
        pairs=student.pairs(example.query, [candidate.text for candidate in candidates]),
        timings=torch.tensor([candidate.timing for candidate in candidates], dtype=torch.float32),
        grades=torch.tensor([candidate.grade for candidate in candidates], dtype=torch.float32),
        teacher=torch.tensor(
            [float("nan") if taught is None else taught[at] for at in kept], dtype=torch.float32
        ),
        weights=None if all(weight == 1.0 for weight in weights) else torch.tensor(weights),
        weight=example.weight,
    )


def _grade_weights(lists: Sequence[RankedPairs], grades: Tensor) -> tuple[Tensor | None, Tensor]:
    """(L, C) the weights of grades, None where all count alike, and (L,) those of lists."""
    weight = torch.tensor([each.weight for each in lists], device=grades.device)
    if all(each.weights is None for each in lists):
        return None, weight
    weights = torch.ones_like(grades)
    for row, each in enumerate(lists):
        if each.weights is not None:
            weights[row, : len(each.weights)] = each.weights.to(grades.device)
    return weights, weight


def _padded(lists: Sequence[RankedPairs]) -> tuple[Tensor, Tensor, Tensor]:
    """(L, C) grades, teacher's logits and the mask of what is no padding."""
    pad = torch.nn.utils.rnn.pad_sequence
    grades = pad([each.grades for each in lists], batch_first=True)
    teacher = pad([each.teacher for each in lists], batch_first=True, padding_value=float("nan"))
    mask = pad([torch.ones(len(each.pairs), dtype=torch.bool) for each in lists], batch_first=True)
    return grades, teacher, mask
