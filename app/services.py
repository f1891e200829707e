"""The composition root: settings → the live engine that the HTTP face and the command line ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from index.build import Progress
from index.record import to_record
from index.storage import current, open_snapshot
from models.registry import DEFAULT_ENCODER, load_encoder

from .answer import answer, fingerprint
from .attraction import FILE_NAME, read_attraction
from .call import SearchCall
from .cursor import decode
from .errors import CursorExpired, NotReady, StoreDown
from .experiments.registry import Registry
from .experiments.shelf import StoreShelf
from .indexing import index_store
from .judging import Judges, LateJudge, name_of
from .ladder import open_ladder
from .library import Library
from .live.edition import Edition
from .live.opening import Live, open_live
from .precision.keeper import Keeper
from .precision.rest import resting
from .rerank_answer import rerank_answer
from .rerank_call import RerankCall
from .settings import Settings
from .store import Edit
from .store.entry import Edited
from .store.errors import StoreError, StoreFull
from .systems import DEFAULT_SYSTEM, system
from .turns import settle
from .vitals import Vitals

_WARM_UP = "scholarship"
_SOURCE = "api"
_RETRY_S = 5


def _now() -> datetime:
    return datetime.now(UTC)


class Answers:
    """An `Answerer` over a live engine. Every call reads one edition from start to end."""

    def __init__(self, live: Live, ladder: Keeper | None = None, now: Callable[[], datetime] = _now) -> None:
        self._live = live
        self.ladder = ladder or resting(LateJudge())
        self._now = now
        self.experiments = Registry(StoreShelf(live.line.store))
        with suppress(StoreError):  # none takes part until the store can be read
            self.experiments.refresh()
        self._warm_up()

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        """The search answer."""
        return answer(call, self._pinned(call).library, self.experiments.treatment(call, self._now()))

    def rerank(self, call: RerankCall) -> Mapping[str, Any]:
        """The caller's own texts, ranked. Raises NotReady without a reranker."""
        library = self._live.keeper.current.library
        if (judge := library.judge) is None:
            raise NotReady(("no reranker is installed that fits this version",))
        return rerank_answer(call, judge, library.clock)

    def opportunity(self, doc_id: str) -> Mapping[str, Any] | None:
        """The record of one programme, or None."""
        corpus = self._live.keeper.current.library.snapshot.corpus
        row = corpus.row(doc_id)
        return None if row is None else to_record(corpus[row])

    def suggest(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """At most `limit` completions."""
        return self._live.keeper.current.suggestions.complete(prefix, limit)

    def version(self) -> Mapping[str, Any]:
        """The fingerprint of the default system and what it is made of."""
        edition = self._live.keeper.current
        snapshot = edition.library.snapshot
        plan = system(DEFAULT_SYSTEM)
        return {
            "fingerprint": fingerprint(snapshot, plan, edition.library.judge if plan.rerank else None),
            "system": plan.system,
            **snapshot.parts,
            "reranker": name_of(),
            "config": repr(plan),
            "sequence": edition.recipe.sequence,
            "pending_vectors": edition.recipe.pending,
        }

    def ready(self) -> tuple[bool, list[str]]:
        """Ready from the moment it exists: opening loads, catches up, checks and warms everything."""
        return True, []

    def write(self, edits: Sequence[Edit], at: datetime) -> Edited:
        """What became of each edit, once all are durable. Raises StoreDown."""
        if self._live.follower.replaced:
            raise StoreDown(_refusal("it is not the one that was indexed"), retry_after_s=_RETRY_S)
        try:
            edited = self._live.line.store().edit(edits, _SOURCE, at)
        except StoreFull as error:
            raise StoreDown(_refusal("no room is left"), retry_after_s=_RETRY_S) from error
        except StoreError as error:
            raise StoreDown(_refusal("it cannot be reached"), retry_after_s=_RETRY_S) from error
        self._live.follower.wake()
        self._live.linking.wake()
        return edited

    def seen(self, sequence: int) -> Future[None]:
        """Done once searches see the change of that number."""
        return self._live.keeper.seen(sequence)

    def vitals(self) -> Vitals:
        """How far searches are behind the store."""
        return self._live.follower.vitals()

    def watch(self, swapped: Callable[[float], None]) -> None:
        """Nothing; `swapped` is told of every new edition how long it took to make."""
        self._live.follower.swapped = swapped

    def close(self) -> None:
        """Nothing; the store is no longer followed."""
        self.experiments.close()
        self.ladder.close()
        self._live.close()

    def _pinned(self, call: SearchCall) -> Edition:
        """The edition that a call reads: the one its cursor continues in, else the current one."""
        keeper = self._live.keeper
        if call.cursor is None:
            return keeper.current
        mark = decode(call.cursor, keeper.current.library.cursor_key)
        edition = keeper.pin(mark.fingerprint)
        if edition is None:
            raise CursorExpired
        return edition

    def _warm_up(self) -> None:
        """The first query pays for lazy parts (dictionaries, kernels); nobody should have to be that query."""
        library = self._live.keeper.current.library
        if library.encoder is not None:
            library.encoder.encode_queries([_WARM_UP])
        for text in (_WARM_UP, "奖学金"):
            library.snapshot.alias.search(text, None, library.snapshot.lexical, 1)


def open_answerer(settings: Settings, progress: Progress = lambda step, done, total: None) -> Answers:
    """The engine over the current snapshot and the store, which it follows until it is closed.

    The store is indexed first when there is no snapshot.
    """
    held: list[Live] = []
    ladder = open_ladder(settings, lambda: held[0].keeper.current.library)
    live = _opened(settings, progress, ladder)
    held.append(live)
    live.start()
    answers = Answers(live, ladder)
    answers.experiments.start()
    settle()
    ladder.begin()
    return answers


def open_once(settings: Settings, progress: Progress = lambda step, done, total: None) -> Answers:
    """The engine over what the snapshot and the store hold now; nothing later is taken in."""
    return Answers(_opened(settings, progress, LateJudge()))


def open_library(settings: Settings, progress: Progress = lambda step, done, total: None) -> Library:
    """The current snapshot and its encoder. Raises SnapshotError, SnapshotMismatch or ModelError."""
    encoder = load_encoder(DEFAULT_ENCODER)
    folder = current(settings.home / "snapshots")
    if folder is None:
        folder = index_store(settings, DEFAULT_ENCODER, progress).folder
    snapshot = open_snapshot(folder, encoder.fingerprint)
    attraction = read_attraction(settings.home / FILE_NAME)
    return Library(snapshot, encoder, time.perf_counter, settings.cursor_key, LateJudge(), attraction)


def _opened(settings: Settings, progress: Progress, judges: Judges) -> Live:
    encoder = load_encoder(DEFAULT_ENCODER)
    if current(settings.home / "snapshots") is None:
        index_store(settings, DEFAULT_ENCODER, progress)
    return open_live(settings, encoder, judges)


def _refusal(why: str) -> str:
    return f"The store takes no writes now: {why}. Nothing is promised; sending all of it again is harmless."
