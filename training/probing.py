"""The gradient that a finished reranker would still get: how far its adapters and gate are from settled on given lists.

    python -m training.probing CHECKPOINT EXAMPLES OUT

A process of its own, of the lowest priority and on one thread, so that a service beside it goes on as before. It adds
one line to OUT, unless OUT ends in one of the same checkpoint and examples:

    checkpoint, examples    fingerprints of what was read
    lists                   how many lists had an order to learn
    norms                   group → L2 norm of the mean gradient over the lists; groups as in `training.gradient`
    grad_norm               the same over the groups that a precision switch watches (lora and gate)

Nothing is learned: no weight moves. Dropout is off, so the same lists give the same figures.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from models.checkpoint import resume_checkpoint
from models.manifest import read_manifest
from models.pairs import PairTokenizer
from training.example import Example, digest, read_examples
from training.gradient import WATCHED
from training.objective import Objective, lists_of
from training.sampler import Draw
from training.settings import LossSettings
from training.student import Student

MOST_LISTS = 32
"""Of the examples, so many of the last are read: the most recent ones, where they are feedback."""


def gradient_norms(
    student: Student, examples: Sequence[Example], losses: LossSettings
) -> Mapping[str, float]:
    """Group → L2 norm of the mean gradient over the examples that have an order; {} when none has."""
    student.network.eval()
    student.network.zero_grad(set_to_none=True)
    objective = Objective(losses)
    draws = [Draw(row, tuple(range(len(each.candidates)))) for row, each in enumerate(examples)]
    lists = lists_of(draws, examples, student, {})
    counts = objective.counts(lists)
    if not any(counts.values()):
        return {}
    for each in lists:
        # One list at a time: the sum of their gradients is the gradient of their sum, and memory stays small.
        loss = objective.weighed(objective.costs([student.logits(each.pairs, each.timings)], [each]), counts)
        torch.autograd.backward(loss)
    norms = {
        name: float(torch.nn.utils.get_total_norm([w.grad for w in weights if w.grad is not None]))
        for name, weights in student.groups().items()
    }
    student.network.zero_grad(set_to_none=True)
    return norms


def reading(checkpoint: Path, file: Path, most: int = MOST_LISTS) -> dict[str, object]:
    """The line for a checkpoint and a file of examples. Raises ModelError and ExampleError."""
    examples = list(read_examples(file))[-most:]
    manifest = read_manifest(checkpoint)
    network = resume_checkpoint(checkpoint)
    student = Student(network, PairTokenizer(network.backbone, manifest.max_document_tokens))
    norms = gradient_norms(student, examples, LossSettings())
    return {
        **_identity(checkpoint, file),
        "lists": len(examples),
        "norms": {name: float(f"{norm:.7g}") for name, norm in norms.items()},
        "grad_norm": float(f"{math.sqrt(sum(norms.get(name, 0.0) ** 2 for name in WATCHED)):.7g}")
        if norms
        else None,
    }


def main(arguments: Sequence[str]) -> None:
    """Nothing; one line is added to OUT where there is none of these files yet."""
    checkpoint, file, out = (Path(argument) for argument in arguments)
    _stand_back()
    with out.open("a", encoding="utf-8", newline="\n") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # another process is at it
        if not is_known(out, _identity(checkpoint, file)):
            stream.write(json.dumps(reading(checkpoint, file), separators=(",", ":")) + "\n")


def is_known(out: Path, identity: Mapping[str, object]) -> bool:
    """Whether the last line of `out` is of that checkpoint and those examples."""
    try:
        lines = out.read_text(encoding="utf-8").splitlines()
        told = json.loads(lines[-1]) if lines else {}
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and all(told.get(name) == value for name, value in identity.items())


def _identity(checkpoint: Path, file: Path) -> dict[str, object]:
    return {"checkpoint": read_manifest(checkpoint).fingerprint, "examples": digest(file)[:16]}


def _stand_back() -> None:
    """Nothing; this process gets a processor only when nobody else wants it."""
    torch.set_num_threads(1)
    os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    main(sys.argv[1:])
