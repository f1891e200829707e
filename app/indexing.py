"""Building the snapshot that is served, from what the store holds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from index.build import Progress, build
from index.catalogue.shipped import RECORDS, VECTORS, programmes
from index.centring import Centring
from index.errors import IndexingError
from index.passage import passages
from index.settings import AWARDS
from index.storage import Manifest, current, read_manifest
from index.types import Encoder
from index.vectorbook import VectorBook
from index.vectorshelf import VectorShelf
from models.registry import DEFAULT_ENCODER, load_encoder

from .lock import held
from .settings import Settings
from .store import Store, open_store
from .store.links import link_pending
from .store.seed import Seeded, seed

BUILDING = "snapshots/building.lock"
"""In the home folder: held by the one process that builds a snapshot there."""


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


def last_change(home: Path) -> int:
    """The last change of the store that the snapshot of `home` knows of; 0 when there is none that can be read."""
    try:
        found = published(home)
    except IndexingError:
        return 0
    return 0 if found is None else found.manifest.sequence


def index_store(
    settings: Settings, encoder: str, progress: Progress = lambda step, done, total: None
) -> Indexed:
    """The snapshot of the records in the store, made with the registered encoder of that name.

    The shipped catalogue is in the store first. Waits for another process that is building one for the same home.
    Raises StoreError, and ModelError when the encoder cannot be loaded.
    """
    with held(settings.home / BUILDING, wait=True):
        return _index(settings, load_encoder(encoder), None, progress)


def compact(settings: Settings) -> Indexed | None:
    """A snapshot of the store that ranks as the current one with all its changes; None while another process builds.

    It takes over the centring, which a plain build would measure anew. Raises as `index_store` does.
    """
    with held(settings.home / BUILDING, wait=False) as mine:
        if not mine:
            return None
        folder = current(settings.home / "snapshots")
        dense = None if folder is None else folder / "dense"
        centring = Centring.load(dense) if dense is not None and dense.is_dir() else None
        encoder = load_encoder(DEFAULT_ENCODER)
        VectorShelf(encoder.fingerprint, (settings.home / "vectors",)).merge()
        return _index(settings, encoder, centring, lambda step, done, total: None)


def _index(settings: Settings, encoder: Encoder, centring: Centring | None, progress: Progress) -> Indexed:
    began = time.perf_counter()
    store = open_store(settings)
    try:
        seed_catalogue(store)
        link_pending(store, datetime.now(UTC), progress=progress)
        # The number first: what changes while the records are read is then taken twice rather than not at all.
        sequence = store.sequence()
        built = build(
            store.documents(),
            settings.home,
            encoder,
            books=(VECTORS,),
            centring=centring,
            sequence=sequence,
            progress=progress,
        )
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
