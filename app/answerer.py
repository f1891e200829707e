"""What the HTTP face asks of the engine behind it; the real services and the shipped fake both fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from .call import SearchCall
from .experiments.registry import Registry
from .rerank_call import RerankCall
from .store.edit import Edit
from .store.entry import Edited
from .vitals import Vitals

if TYPE_CHECKING:
    from .precision.keeper import Keeper  # it loads what reranks; the face of the service does without


class Answerer(Protocol):
    """The engine as the HTTP face sees it: plain calls in, plain JSON-like values out.

    `search`, `rerank`, `opportunity`, `suggest` and `write` may take their time: they are called on worker threads,
    several at once. The others are called on the event loop and return at once, but for `close`.
    """

    @property
    def experiments(self) -> Registry:
        """The experiments, to be read and changed."""

    @property
    def ladder(self) -> Keeper:
        """The precision ladder, to be read, told of searches and pinned."""

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        """The search answer, shaped as documented for `POST /v1/search`.

        Raises InvalidRequest (what only the engine can know: an unknown system, a scale no stage of the
        plan has), CursorInvalid or CursorExpired.
        """

    def rerank(self, call: RerankCall) -> Mapping[str, Any]:
        """The answer shaped as documented for `POST /v1/rerank`. Raises NotReady when nothing here reranks."""

    def opportunity(self, doc_id: str) -> Mapping[str, Any] | None:
        """The record of one programme in its JSON form, or None when there is none of that id."""

    def suggest(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """At most `limit` completions, best first, each `{"text", "kind", "id"}` (`id` may be null)."""

    def version(self) -> Mapping[str, Any]:
        """The fingerprint and its parts: snapshot, analyzer, encoder, reranker, config and so on."""

    def ready(self) -> tuple[bool, list[str]]:
        """Whether a search would be answered now, and what is missing if not."""

    def write(self, edits: Sequence[Edit], at: datetime) -> Edited:
        """What became of each edit; on return all of them are durable. Raises StoreDown, and then none is kept."""

    def seen(self, sequence: int) -> Future[None]:
        """Done once searches see the change of that number, at once when they do already."""

    def vitals(self) -> Vitals:
        """How far searches are behind the store."""

    def watch(self, swapped: Callable[[float], None]) -> None:
        """Nothing; from here on `swapped` is told how many seconds each change of what is searched took."""

    def close(self) -> None:
        """Nothing; whatever the engine runs beside the searches ends."""
