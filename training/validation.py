"""How well a network ranks examples it was not trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from evaluation.metrics import judge
from models.pairs import Pair, by_cost
from training.example import Example
from training.student import Student

RELEVANT_GRADE = 2
Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Validation:
    """Means over the examples that have a relevant candidate, in [0, 1]; `mrr5` is what early stopping watches."""

    mrr5: float
    ndcg10: float
    lists: int


def figures(examples: Sequence[Example], scores: Sequence[NDArray[np.floating]]) -> Validation:
    """The figures of the order that `scores` gives; one array (C,) per example. Ties are broken against us."""
    judged = [at for at, example in enumerate(examples) if example.best >= RELEVANT_GRADE]
    if not judged:
        return Validation(0.0, 0.0, 0)
    names = {at: _names(examples[at]) for at in judged}
    qrels = {
        str(at): {name: round(c.grade) for name, c in zip(names[at], examples[at].candidates, strict=True)}
        for at in judged
    }
    run = {str(at): list(zip(names[at], map(float, scores[at]), strict=True)) for at in judged}
    found = judge(qrels, run, RELEVANT_GRADE)
    return Validation(found.mean("mrr@5"), found.mean("ndcg@10"), len(judged))


def _names(example: Example) -> list[str]:
    """A name for each candidate, the least useful first, as names break ties.

    A network that gives everything one score is not to look good because of how the examples were written.
    """
    order = sorted(range(len(example.candidates)), key=lambda at: (example.candidates[at].grade, at))
    places = {at: place for place, at in enumerate(order)}
    return [f"{places[at]:05d}" for at in range(len(example.candidates))]


def score(
    student: Student, examples: Sequence[Example], forward_tokens: int, progress: Callable[[int], None]
) -> Iterator[Logits]:
    """For each example its candidates' logits (C,), as the finished model would give them."""
    for done, example in enumerate(examples, start=1):
        pairs = student.pairs(example.query, [candidate.text for candidate in example.candidates])
        timings = torch.tensor([candidate.timing for candidate in example.candidates], dtype=torch.float32)
        yield _logits(student, pairs, timings, forward_tokens)
        progress(done)


def _logits(student: Student, pairs: Sequence[Pair], timings: torch.Tensor, forward_tokens: int) -> Logits:
    found = np.empty(len(pairs), dtype=np.float32)
    with student.evaluating():
        for rows in by_cost([len(pair) for pair in pairs], forward_tokens):
            logits = student.logits([pairs[row] for row in rows], timings[rows])
            found[rows] = logits.detach().float().cpu().numpy()
    return found
