"""Vectors of new documents, made beside the searches: few at a time, on one thread, once for a whole home."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from app.lock import held
from app.turns import give_way
from index.addition import Addition
from index.types import Encoder, Vector
from index.vectorbook import Half
from index.vectorshelf import VectorShelf

log = logging.getLogger("scholarsearch")

# Characters of one batch: some 50 ms of one core, so that a search beside it waits for little.
_BATCH_CHARACTERS = 1200
_BATCH_TEXTS = 8
_NEIGHBOUR_S = 0.2
_AFTER_FAILURE_S = 10.0

Found = dict[str, tuple[str, Vector]]
"""{document id: (digest of the content that was encoded, (p, D) float32)}."""


class Encoding:
    """Looks up or makes the vectors of what it was last asked for."""

    def __init__(self, encoder: Encoder, shelf: VectorShelf, lock: Path) -> None:
        self._encoder = encoder
        self._shelf = shelf
        self._lock = lock
        self._tell: Callable[[], None] = lambda: None
        self._wanted: Sequence[Addition] = ()
        self._found: Found = {}
        self._guard = threading.Lock()
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="encoding", daemon=True)

    def start(self, tell: Callable[[], None]) -> None:
        """Nothing; from here on what is wanted is made, and `tell` is called whenever some vectors are there."""
        self._tell = tell
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the thread ends after its batch."""
        self._stopped.set()
        self._wake.set()

    def known(self, additions: Sequence[Addition]) -> list[Addition]:
        """The same additions, with their vectors where a book holds all of a document's."""
        found = self._shelf.find([text for addition in additions for text, _ in addition.passages])
        return [_with(addition, found) for addition in additions]

    def want(self, additions: Sequence[Addition]) -> None:
        """Nothing; these documents, the first ones first, and no others are encoded from here on."""
        with self._guard:
            self._wanted = additions
        if additions:
            self._wake.set()

    def collect(self) -> Found:
        """What was made since the last time."""
        with self._guard:
            found, self._found = self._found, {}
        return found

    def _run(self) -> None:
        give_way()
        while not self._stopped.is_set():
            self._wake.wait()
            self._wake.clear()
            while not self._stopped.is_set() and self._wanted:
                try:
                    if not self._round():
                        self._stopped.wait(_NEIGHBOUR_S)
                except Exception:  # the documents stay searchable by their words, and are tried again
                    log.exception("vectors could not be made")
                    self._stopped.wait(_AFTER_FAILURE_S)

    def _round(self) -> bool:
        """Whether something came of one round: a batch of documents got vectors."""
        with self._guard:
            batch = _batch(self._wanted)
        if not batch:
            return False
        texts = list(dict.fromkeys(text for addition in batch for text, _ in addition.passages))
        with held(self._lock, wait=False) as mine:
            found = self._shelf.find(texts)
            missing = [text for text in texts if text not in found]
            if missing and not mine:
                return False  # a neighbour is encoding, perhaps these very ones
            for start in range(0, len(missing), _BATCH_TEXTS):
                some = missing[start : start + _BATCH_TEXTS]
                vectors = self._encoder.encode_passages(some).astype(np.float16)
                with suppress(OSError):  # a full disk: the vectors are used, and made again after a restart
                    self._shelf.add(some, vectors)
                found.update(zip(some, vectors, strict=True))
        made = [_with(one, found) for one in batch]
        digests = {one.digest for one in batch}
        with self._guard:
            self._found.update(
                {one.doc_id: (one.digest, one.vectors) for one in made if one.vectors is not None}
            )
            self._wanted = [one for one in self._wanted if one.digest not in digests]
        self._tell()
        return True


def _batch(wanted: Sequence[Addition]) -> list[Addition]:
    """The first documents that together are not too long; at least one."""
    batch: list[Addition] = []
    characters = 0
    for addition in wanted:
        characters += sum(len(text) for text, _ in addition.passages)
        if batch and characters > _BATCH_CHARACTERS:
            break
        batch.append(addition)
    return batch


def _with(addition: Addition, found: Mapping[str, Half]) -> Addition:
    """The addition with its vectors, when all of them are found."""
    vectors = [found[text] for text, _ in addition.passages if text in found]
    if len(vectors) < len(addition.passages):
        return addition
    return addition.encoded(np.stack(vectors).astype(np.float32))
