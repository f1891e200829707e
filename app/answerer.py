"""What the HTTP face asks of the engine behind it; the real services and the shipped fake both fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from .call import SearchCall


class Answerer(Protocol):
    """The engine as the HTTP face sees it: plain calls in, plain JSON-like values out.

    `search`, `opportunity` and `suggest` may take their time: they are called on worker threads, several
    at once. `version` and `ready` are called on the event loop and return at once.
    """

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        """The search answer, shaped as documented for `POST /v1/search`.

        Raises InvalidRequest (what only the engine can know: an unknown system, a scale no stage of the
        plan has), CursorInvalid or CursorExpired.
        """

    def opportunity(self, doc_id: str) -> Mapping[str, Any] | None:
        """The record of one programme in its JSON form, or None when there is none of that id."""

    def suggest(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """At most `limit` completions, best first, each `{"text", "kind", "id"}` (`id` may be null)."""

    def version(self) -> Mapping[str, Any]:
        """The fingerprint and its parts: snapshot, analyzer, encoder, reranker, config and so on."""

    def ready(self) -> tuple[bool, list[str]]:
        """Whether a search would be answered now, and what is missing if not."""
