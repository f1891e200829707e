"""One step of training: the gradient of a step's lists, and what is done with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Parameter

from models.pairs import by_cost
from training.batching import groups
from training.errors import Diverged
from training.objective import Objective, RankedPairs
from training.schedule import rate_factor
from training.settings import BatchSettings, OptimiserSettings, Precision
from training.student import Student


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step did. losses: name → mean over the lists it learnt from. norms: group → L2 norm before clipping."""

    loss: float
    losses: Mapping[str, float]
    norms: Mapping[str, float]
    rate_factor: float
    pairs: int
    tokens: int


class Stepper:
    """The network, its optimiser and its numbers' precision; `step` moves the weights once."""

    def __init__(
        self,
        student: Student,
        objective: Objective,
        batch: BatchSettings,
        optimiser: OptimiserSettings,
        precision: Precision,
    ) -> None:
        self._student, self._objective = student, objective
        self._batch, self._settings = batch, optimiser
        self._device = student.device
        self._groups = {name: list(weights) for name, weights in student.groups().items() if weights}
        rates = {"lora": optimiser.lora_rate, "gate": optimiser.gate_rate, "head": optimiser.head_rate}
        self._rates = {name: rates[name] for name in self._groups}
        self._optimiser = torch.optim.AdamW(
            [
                part
                for name, weights in self._groups.items()
                for part in _decayed(weights, self._rates[name], optimiser.weight_decay, name)
            ]
        )
        self._scaler = torch.amp.GradScaler(self._device, enabled=precision == "fp16")

    def step(self, lists: Sequence[RankedPairs], step: int) -> StepReport:
        """Learns from `lists`. Raises Diverged when the loss is no number."""
        factor = rate_factor(
            step, self._settings.steps, self._settings.warmup_share, self._settings.floor_share
        )
        for part in self._optimiser.param_groups:
            part["lr"] = self._rates[part["group"]] * factor
        self._optimiser.zero_grad(set_to_none=True)
        counts = self._objective.counts(lists)
        lengths = [[len(pair) for pair in each.pairs] for each in lists]
        totals = dict.fromkeys(counts, 0.0)
        for rows in groups(lengths, self._batch.group_tokens):
            group = [lists[row] for row in rows]
            costs = self._objective.costs(self._forward(group), group)
            loss = self._objective.weighed(costs, counts)
            if not math.isfinite(loss.item()):
                raise Diverged(f"the loss of step {step} is {loss.item()}: lower the learning rates")
            torch.autograd.backward(self._scaler.scale(loss))
            for name, cost in costs.items():
                totals[name] += cost.item()
        norms = self._update()
        weighed = self._objective.weighed({n: torch.tensor(c) for n, c in totals.items()}, counts)
        return StepReport(
            loss=float(weighed),
            losses={name: cost / max(counts[name], 1) for name, cost in totals.items()},
            norms=norms,
            rate_factor=factor,
            pairs=sum(map(len, lengths)),
            tokens=sum(map(sum, lengths)),
        )

    def _forward(self, lists: Sequence[RankedPairs]) -> list[Tensor]:
        """(C,) logits for each list, with their graph."""
        pairs = [pair for each in lists for pair in each.pairs]
        timings = torch.cat([each.timings for each in lists]).to(self._device)
        rows: list[int] = []
        found: list[Tensor] = []
        for chosen in by_cost([len(pair) for pair in pairs], self._batch.forward_tokens):
            found.append(self._student.logits([pairs[row] for row in chosen], timings[chosen]))
            rows += chosen
        place = torch.empty(len(rows), dtype=torch.long)
        place[rows] = torch.arange(len(rows))
        return list(
            torch.split(torch.cat(found)[place.to(self._device)], [len(each.pairs) for each in lists])
        )

    def _update(self) -> dict[str, float]:
        """The norm of each group; moves the weights along the clipped gradient."""
        self._scaler.unscale_(self._optimiser)
        norms = {
            name: float(torch.nn.utils.get_total_norm([w.grad for w in weights if w.grad is not None]))
            for name, weights in self._groups.items()
        }
        every = [weight for weights in self._groups.values() for weight in weights]
        torch.nn.utils.clip_grad_norm_(every, self._settings.clip_norm)
        self._scaler.step(self._optimiser)
        self._scaler.update()
        return norms

    def state(self) -> dict[str, object]:
        """What `restore` needs: trained weights, optimiser, loss scale."""
        weights = {
            name: [weight.detach().clone() for weight in group] for name, group in self._groups.items()
        }
        return {
            "weights": weights,
            "optimiser": self._optimiser.state_dict(),
            "scaler": self._scaler.state_dict(),
        }

    def restore(self, state: Mapping[str, object]) -> None:
        """Takes over the state of another stepper of the same network and settings."""
        weights, optimiser, scaler = (state[name] for name in ("weights", "optimiser", "scaler"))
        if not (isinstance(weights, dict) and isinstance(optimiser, dict) and isinstance(scaler, dict)):
            raise TypeError("not the state of a stepper")
        with torch.no_grad():
            for name, group in self._groups.items():
                for weight, value in zip(group, weights[name], strict=True):
                    weight.copy_(value)
        self._optimiser.load_state_dict(optimiser)
        self._scaler.load_state_dict(scaler)


def _decayed(weights: Sequence[Parameter], rate: float, decay: float, group: str) -> list[dict[str, object]]:
    """The optimiser's parts of a group: matrices decay, vectors (biases, scales of norms) do not."""
    matrices = [weight for weight in weights if weight.dim() > 1]
    vectors = [weight for weight in weights if weight.dim() <= 1]
    parts = ((matrices, decay), (vectors, 0.0))
    return [
        {"params": some, "lr": rate, "weight_decay": decayed, "group": group}
        for some, decayed in parts
        if some
    ]
