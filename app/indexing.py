"""Building the snapshot that is served, from the shipped catalogue."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from index.build import Progress, build
from index.catalogue.shipped import VECTORS, programmes
from index.storage import Manifest, current, read_manifest
from models.registry import load_encoder


@dataclass(frozen=True, slots=True)
class Indexed:
    """A published snapshot, its manifest and how long it took."""

    folder: Path
    manifest: Manifest
    seconds: float


def published(home: Path) -> Indexed | None:
    """The snapshot that is served now, or None; raises SnapshotError when it cannot be read."""
    folder = current(home / "snapshots")
    return None if folder is None else Indexed(folder, read_manifest(folder), 0.0)


def index_catalogue(home: Path, encoder: str, progress: Progress = lambda step, done, total: None) -> Indexed:
    """The snapshot of the shipped catalogue under `home`, made with the registered encoder of that name.

    Raises ModelError when the encoder cannot be loaded.
    """
    began = time.perf_counter()
    built = build(programmes(), home, load_encoder(encoder), books=(VECTORS,), progress=progress)
    return Indexed(built.folder, built.manifest, time.perf_counter() - began)
