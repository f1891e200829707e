"""The one loop: draw, step, watch, validate, save; and on again where a break left it.

Files in the run's folder:

    state.pt           what the loop resumes from, written whole or not at all
    log.jsonl          every step: loss and its parts, factor on the learning rates, pairs, tokens
    gradient.jsonl     every step: norms of the gradient, see `training.gradient`
    validation.jsonl   every validation: MRR@5, nDCG@10, whether it was the best so far
    best/              the checkpoint of the best validation

Nothing in them depends on the clock, so a run that was killed and resumed leaves what an unbroken one leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import torch

from training.example import Example
from training.gradient import GradientMonitor
from training.journal import Journal
from training.objective import Objective, lists_of
from training.sampler import Sampler
from training.settings import TrainingSettings
from training.state import load_state, save_state
from training.step import Stepper, StepReport
from training.student import Student
from training.teacher import Teacher
from training.validation import Logits, Validation, figures, score

STATE, LOG, GRADIENT, VALIDATION = "state.pt", "log.jsonl", "gradient.jsonl", "validation.jsonl"

Progress = Callable[[str, int, int], None]
"""Told the step of the work, how much of it is done, and how much there is."""


class Keeper(Protocol):
    """Writes a checkpoint of the network as it is now; `logits` (C,) are what it says of each validation example."""

    def __call__(self, step: int, found: Validation, logits: Sequence[Logits]) -> None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. steps: how many were made in all. stopped_early: validation had not improved for long enough."""

    steps: int
    best_step: int
    best: Validation
    stopped_early: bool


class Loop:
    """A run in a folder. `run` names what it is made of, so that a state of another run is not gone on from."""

    def __init__(
        self,
        settings: TrainingSettings,
        student: Student,
        folder: Path,
        run: Mapping[str, str],
        keep: Keeper,
        progress: Progress,
    ) -> None:
        self._settings, self._student, self._folder = settings, student, folder
        self._run, self._keep, self._progress = dict(run), keep, progress
        self._stepper = Stepper(
            student,
            Objective(settings.loss),
            settings.batch,
            settings.optimiser,
            settings.run.precision,
        )
        self._monitor = GradientMonitor(settings.run.monitor_window, settings.run.monitor_decay)
        self._best = Validation(-1.0, -1.0, 0)
        self._best_step = 0
        self._misses = 0

    def train(
        self, examples: Sequence[Example], validation: Sequence[Example], teacher: Teacher | None = None
    ) -> Outcome:
        """Teaches the student until the steps are done or it stops improving.

        `examples` and `validation` share no group. Raises StateError when the folder holds the state of another
        run, Diverged when the loss is no number any more.
        """
        settings = self._settings
        sampler = Sampler(
            examples,
            settings.data.tasks,
            settings.data.other_tasks,
            settings.batch.lists,
            settings.batch.list_size,
            settings.run.seed,
        )
        done = self._resume()
        journals = {name: Journal(self._folder / name, done) for name in (LOG, GRADIENT, VALIDATION)}
        try:
            while done < settings.optimiser.steps and not self._stale():
                lists = lists_of(sampler.draw(done), examples, self._student, teacher or {})
                self._record(done, self._stepper.step(lists, done), journals)
                done += 1
                self._progress("training", done, settings.optimiser.steps)
                last = done == settings.optimiser.steps
                if last or done % settings.run.validate_steps == 0:
                    self._validate(done - 1, validation, journals[VALIDATION])
                    self._save(done)
                elif done % settings.run.save_steps == 0:
                    self._save(done)
        finally:
            for journal in journals.values():
                journal.close()
        return Outcome(done, self._best_step, self._best, done < settings.optimiser.steps)

    def _record(self, step: int, report: StepReport, journals: Mapping[str, Journal]) -> None:
        fields = {name: value for name, value in asdict(report).items() if name != "norms"}
        journals[LOG].record({"step": step} | fields)
        journals[GRADIENT].write(self._monitor.observe(step, report.norms).line())

    def _validate(self, step: int, examples: Sequence[Example], journal: Journal) -> None:
        logits = list(
            score(
                self._student,
                examples,
                self._settings.batch.forward_tokens,
                lambda done: self._progress(f"validation after step {step}", done, len(examples)),
            )
        )
        found = figures(examples, logits)
        better = (found.mrr5, found.ndcg10) > (self._best.mrr5, self._best.ndcg10)
        if better:
            self._best, self._best_step, self._misses = found, step, 0
            self._keep(step, found, logits)
        else:
            self._misses += 1
        journal.record({"step": step} | asdict(found) | {"best": better})

    def _stale(self) -> bool:
        return 0 < self._settings.run.patience <= self._misses

    def _save(self, done: int) -> None:
        state: dict[str, object] = {
            "run": self._run,
            "done": done,
            "stepper": self._stepper.state(),
            "monitor": self._monitor.state(),
            "best": asdict(self._best) | {"step": self._best_step, "misses": self._misses},
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all() if self._settings.run.device == "cuda" else [],
        }
        save_state(self._folder / STATE, state)

    def _resume(self) -> int:
        """How many steps are done already; takes over what they left."""
        self._folder.mkdir(parents=True, exist_ok=True)
        state: dict[str, Any] | None = load_state(self._folder / STATE, self._run)
        if state is None:
            torch.manual_seed(self._settings.run.seed)
            return 0
        self._stepper.restore(state["stepper"])
        self._monitor.restore(state["monitor"])
        best = state["best"]
        self._best = Validation(best["mrr5"], best["ndcg10"], best["lists"])
        self._best_step, self._misses = best["step"], best["misses"]
        torch.set_rng_state(state["random"])
        if state["random_cuda"]:
            torch.cuda.set_rng_state_all(state["random_cuda"])
        return int(state["done"])
