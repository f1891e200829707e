"""Building the snapshot that is served, from what the store holds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from index.build import Progress, build
from index.catalogue.shipped import RECORDS, VECTORS, programmes
from index.passage import passages
from index.settings import AWARDS
from index.storage import Manifest, current, read_manifest
from index.vectorbook import VectorBook
from models.registry import DEFAULT_ENCODER, load_encoder

from .settings import Settings
from .store import Store, open_store
from .store.seed import Seeded, seed


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


def index_store(
    settings: Settings, encoder: str, progress: Progress = lambda step, done, total: None
) -> Indexed:
    """The snapshot of the records in the store, made with the registered encoder of that name.

    The shipped catalogue is in the store first. Raises StoreError, and ModelError when the encoder cannot be loaded.
    """
    began = time.perf_counter()
    loaded = load_encoder(encoder)
    store = open_store(settings)
    try:
        seed_catalogue(store)
        built = build(store.documents(), settings.home, loaded, books=(VECTORS,), progress=progress)
    finally:
        store.close()
    return Indexed(built.folder, built.manifest, time.perf_counter() - began)


def seed_catalogue(store: Store) -> Seeded | None:
    """What the shipped catalogue did to the store; None when it is there already."""
    edition = sha256(RECORDS.read_bytes()).hexdigest()
    return seed(store, edition, programmes, datetime.now(UTC))


def export_vectors(home: Path, folder: Path, progress: Progress = lambda step, done, total: None) -> int:
    """Bytes written: the vectors of the catalogue's passages by the default encoder, as the package ships them."""
    encoder = load_encoder(DEFAULT_ENCODER)
    texts = [text for document in programmes() for text, _ in passages(document, AWARDS.passage_units)]
    book = VectorBook(encoder, (home / "vectors", VECTORS))
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress("vectors", done, len(texts))

    book.vectors(texts, advance)
    return book.export(texts, folder)
