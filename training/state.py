"""What a run needs to go on where it stopped, in one file that is always whole."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from training.errors import StateError


def save_state(path: Path, state: Mapping[str, object]) -> None:
    """Puts `state` at `path`. A break at any moment leaves the former file or this one, never half of one."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        torch.save(dict(state), file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def load_state(path: Path, run: Mapping[str, str]) -> dict[str, Any] | None:
    """The state at `path`; None when there is none. Nothing but numbers and texts is read from it.

    `run` names what the state must have been saved by: settings, data, network. Raises StateError, saying which
    of them differs, or that the file is damaged.
    """
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        saved: Mapping[str, str] = state["run"]
    except Exception as fault:  # torch raises whatever the bytes provoke
        raise StateError(f"{path} is damaged ({fault}): remove it to begin anew") from fault
    for name in sorted(run.keys() | saved.keys()):
        if saved.get(name) != run.get(name):
            raise StateError(
                f"{path} was saved with another {name}: train into another folder, or remove it to begin anew"
            )
    return state
