"""Which examples a step sees, and which of their candidates.

Both are pure functions of (seed, step), so a run that goes on after a break needs to remember nothing but the step.

Tasks are mixed by weight. Inside a task, examples come in a fixed shuffled round: every example once before any comes
twice. Examples of one group (one question on different days) stand beside one another in that round, so that they
usually meet in one batch and time alone tells their answers apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.errors import ExampleError
from training.example import Candidate, Example

# Names the independent streams of random numbers that are drawn from one seed.
_ROUND, _CUT = 1, 2
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, slots=True)
class Draw:
    """One list of a step: the row of its example, and which of the example's candidates are in it."""

    row: int
    kept: tuple[int, ...]


class Sampler:
    """Draws the lists of any step. Needs examples whose task has a weight above 0; raises ExampleError without."""

    def __init__(
        self,
        examples: Sequence[Example],
        weights: Mapping[str, float],
        other_weight: float,
        lists: int,
        list_size: int,
        seed: int,
    ) -> None:
        by_task: dict[str, list[int]] = {}
        for at, example in enumerate(examples):
            if weights.get(example.task, other_weight) > 0:
                by_task.setdefault(example.task, []).append(at)
        if not by_task:
            raise ExampleError("no example is left to train on: every task has weight 0")
        self._examples = examples
        self._tasks = sorted(by_task)
        self._members = [by_task[task] for task in self._tasks]
        shares = np.array([weights.get(task, other_weight) for task in self._tasks], dtype=np.float64)
        self._shares = shares / shares.sum()
        self._lists, self._list_size, self._seed = lists, list_size, seed
        self._rounds: dict[tuple[int, int], list[int]] = {}

    @property
    def tasks(self) -> dict[str, tuple[int, float]]:
        """Task → (number of examples, share of the lists of a step)."""
        return {
            task: (len(members), float(share))
            for task, members, share in zip(self._tasks, self._members, self._shares, strict=True)
        }

    def draw(self, step: int) -> list[Draw]:
        """The lists of the 0-based `step`."""
        start = step * self._lists
        turns = np.bincount(self._slots(0, start), minlength=len(self._tasks))
        drawn = []
        for place, task in enumerate(self._slots(start, start + self._lists)):
            row = self._row(int(task), int(turns[task]))
            turns[task] += 1
            drawn.append(Draw(row, self._cut(self._examples[row], step, place)))
        return drawn

    def _slots(self, start: int, end: int) -> NDArray[np.intp]:
        """The task of each list from `start` to `end`, counted over the whole run.

        Multiples of the golden ratio fill [0, 1) more evenly than random numbers do, so every stretch has the mix.
        """
        phases = (np.arange(start, end) * _GOLDEN + self._seed % 1009 / 1009) % 1.0
        return np.searchsorted(np.cumsum(self._shares)[:-1], phases, side="right")

    def _row(self, task: int, turn: int) -> int:
        members = self._members[task]
        epoch, at = divmod(turn, len(members))
        key = (task, epoch)
        if key not in self._rounds:
            stale = [known for known in self._rounds if known[0] == task and known[1] < epoch - 1]
            for known in stale:
                del self._rounds[known]
            self._rounds[key] = self._round(task, epoch)
        return self._rounds[key][at]

    def _round(self, task: int, epoch: int) -> list[int]:
        """Every member of the task once, groups whole and in a random order."""
        groups: dict[str, list[int]] = {}
        for row in self._members[task]:
            groups.setdefault(self._examples[row].group or f"#{row}", []).append(row)
        names = sorted(groups)
        generator = np.random.default_rng((self._seed, _ROUND, task, epoch))
        return [row for at in generator.permutation(len(names)) for row in groups[names[at]]]

    def _cut(self, example: Example, step: int, place: int) -> tuple[int, ...]:
        """The candidates that are kept, see `_kept`."""
        count = len(example.candidates)
        if count <= self._list_size:
            return tuple(range(count))
        shuffled = np.random.default_rng((self._seed, _CUT, step, place)).permutation(count).tolist()
        return tuple(_kept(shuffled, example.candidates, self._list_size))


def _kept(shuffled: Sequence[int], candidates: Sequence[Candidate], size: int) -> list[int]:
    """`size` of the shuffled rows of candidates: one of each grade, best grade first, then as they come."""
    first: dict[float, int] = {}
    for at in shuffled:
        first.setdefault(candidates[at].grade, at)
    chosen = [first[grade] for grade in sorted(first, reverse=True)][:size]
    taken = set(chosen)
    return chosen + [at for at in shuffled if at not in taken][: size - len(chosen)]
