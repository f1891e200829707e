"""The composition root: settings → the live engine that the HTTP face and the command line ask."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from index.build import Progress
from index.record import to_record
from index.storage import current, open_snapshot
from models.registry import DEFAULT_ENCODER, load_encoder

from .answer import answer, fingerprint
from .call import SearchCall
from .indexing import index_store
from .library import Library
from .settings import Settings
from .suggestions import Suggestions
from .systems import DEFAULT_SYSTEM, system

_WARM_UP = "scholarship"


class Answers:
    """An `Answerer` over one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._suggestions = Suggestions.of(library.snapshot)
        self._warm_up()

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        """The search answer."""
        return answer(call, self._library)

    def opportunity(self, doc_id: str) -> Mapping[str, Any] | None:
        """The record of one programme, or None."""
        corpus = self._library.snapshot.corpus
        row = corpus.row(doc_id)
        return None if row is None else to_record(corpus[row])

    def suggest(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """At most `limit` completions."""
        return self._suggestions.complete(prefix, limit)

    def version(self) -> Mapping[str, Any]:
        """The fingerprint of the default system and what it is made of."""
        snapshot = self._library.snapshot
        plan = system(DEFAULT_SYSTEM)
        return {
            "fingerprint": fingerprint(snapshot, plan),
            "system": plan.system,
            **snapshot.parts,
            "reranker": None,
            "config": repr(plan),
        }

    def ready(self) -> tuple[bool, list[str]]:
        """Ready from the moment it exists: opening loads, checks and warms everything."""
        return True, []

    def _warm_up(self) -> None:
        """The first query pays for lazy parts (dictionaries, kernels); nobody should have to be that query."""
        if self._library.encoder is not None:
            self._library.encoder.encode_queries([_WARM_UP])
        for text in (_WARM_UP, "奖学金"):
            self._library.snapshot.alias.search(text, None, self._library.snapshot.lexical, 1)


def open_answerer(settings: Settings, progress: Progress = lambda step, done, total: None) -> Answers:
    """The engine over the current snapshot; the store is indexed first when there is none."""
    return Answers(open_library(settings, progress))


def open_library(settings: Settings, progress: Progress = lambda step, done, total: None) -> Library:
    """The current snapshot and its encoder. Raises SnapshotError, SnapshotMismatch or ModelError."""
    encoder = load_encoder(DEFAULT_ENCODER)
    folder = current(settings.home / "snapshots")
    if folder is None:
        folder = index_store(settings, DEFAULT_ENCODER, progress).folder
    snapshot = open_snapshot(folder, encoder.fingerprint)
    return Library(snapshot, encoder, time.perf_counter, settings.cursor_key)
