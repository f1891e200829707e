"""The records of a run for TensorBoard, where its package is installed; the records themselves need nothing."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from training.journal import records
from training.loop import GRADIENT, LOG, VALIDATION

PACKAGE = "tensorboard"


def write_events(folder: Path) -> bool:
    """True when the event file in `folder` was written anew; False, and nothing, without the package."""
    if importlib.util.find_spec(PACKAGE) is None:
        return False
    from torch.utils.tensorboard import SummaryWriter

    for former in folder.glob("events.out.tfevents.*"):
        former.unlink()
    with SummaryWriter(folder) as writer:
        for name, value, step in scalars(folder):
            writer.add_scalar(name, value, step)
    return True


def scalars(folder: Path) -> Iterator[tuple[str, float, int]]:
    """(name, value, step) of every figure in the records of `folder`."""
    for part, file in (("train", LOG), ("gradient", GRADIENT), ("validation", VALIDATION)):
        for record in records(folder / file):
            step = record["step"]
            for name, value in record.items():
                for key, number in value.items() if isinstance(value, dict) else ((None, value),):
                    if name != "step" and isinstance(number, int | float) and isinstance(step, int):
                        yield "/".join(filter(None, (part, name, key))), float(number), step
