"""A small, deterministic engine over invented programmes: the HTTP face runs on it without weights or files.

It ranks by how many words of the query a programme holds, and uses the real filters, facets, availability and
cursors, so that what is tested over HTTP is what the real engine is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

import numpy as np

from index.columns import Columns
from index.document import Document
from index.facets import counts
from index.filters import mask
from index.record import to_record
from index.types import Rows

from .call import SearchCall
from .cursor import Cursor, check, decode, encode, query_hash
from .errors import UnknownSystem
from .experiments.registry import Registry
from .experiments.shelf import MemoryShelf
from .fake_facts import FACTS
from .fake_hit import fake_hit
from .fake_ladder import fake_ladder
from .fake_programmes import programmes
from .fake_rerank import fake_rerank
from .kin import sources
from .rerank_call import RerankCall
from .settings import Settings
from .store.edit import Edit
from .store.entry import Edited, Outcome, Status
from .vitals import Vitals

SYSTEM = "words"
FINGERPRINT = "fake-1"


class FakeAnswerer:
    """An `Answerer` that needs nothing but itself."""

    def __init__(self, secret: str = "fake", documents: Sequence[Document] | None = None) -> None:  # noqa: S107
        self._documents = tuple(programmes() if documents is None else documents)
        self._columns = Columns.of(self._documents)
        self._secret = secret
        self._writing = threading.Lock()
        self._sequence = len(self._documents)
        self.experiments = Registry(MemoryShelf())
        self.ladder = fake_ladder()

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        """The answer, in the shape the real engine gives."""
        if call.system not in (None, SYSTEM):
            raise UnknownSystem(str(call.system), (SYSTEM,))
        as_of, offset = self._start(call)
        scores = self._scores(call, as_of)
        rows = self._order(call, scores, as_of)
        shown = rows[offset : offset + call.page_size]
        following = offset + len(shown)
        treatment = self.experiments.treatment(call, datetime.now(UTC))
        cursor = Cursor(query_hash(call, as_of, SYSTEM), FINGERPRINT, as_of, following, treatment.arms)
        return {
            "request_id": call.request_id,
            "query_id": call.query.query_id,
            "query": _understood(call),
            "as_of": as_of.isoformat(),
            "total": {"value": len(rows), "relation": "eq"},
            "reachable": len(rows),
            "next_cursor": encode(cursor, self._secret) if following < len(rows) else None,
            "hits": [
                self._hit(call, row, rank, scores[row], as_of) for rank, row in enumerate(shown, offset + 1)
            ],
            "facets": self._facets(call, rows, as_of),
            "experiments": [assignment.record() for assignment in treatment.assignments],
            "degraded": [],
            "served": _served(),
            "timings_ms": {"parse": 0.1, "lexical": 0.2, "total": 0.3},
        }

    def rerank(self, call: RerankCall) -> Mapping[str, Any]:
        """The caller's texts by the share of the query's words they hold."""
        return fake_rerank(call, FINGERPRINT)

    def opportunity(self, doc_id: str) -> Mapping[str, Any] | None:
        """The record, or None."""
        found = next((document for document in self._documents if document.doc_id == doc_id), None)
        return None if found is None else to_record(found)

    def suggest(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """Names and aliases that begin with `prefix`, in the order of ids."""
        begun = prefix.strip().casefold()
        if not begun:
            return []
        named = [(text, kind, one.doc_id) for one in self._documents for text, kind in _names(one)]
        found = [entry for entry in named if entry[0].casefold().startswith(begun)]
        return [{"text": text, "kind": kind, "id": doc_id} for text, kind, doc_id in found[:limit]]

    def version(self) -> Mapping[str, Any]:
        """The parts of the fake."""
        return {"fingerprint": FINGERPRINT, "snapshot": FINGERPRINT, "analyzer": "words", "encoder": "none"}

    def ready(self) -> tuple[bool, list[str]]:
        """Always ready."""
        return True, []

    def write(self, edits: Sequence[Edit], at: datetime) -> Edited:
        """What became of each edit; remembered as long as the process lives."""
        with self._writing:
            known = {document.doc_id: document for document in self._documents}
            outcomes = tuple(Outcome(edit.doc_id, _made(edit, known)) for edit in edits)
            self._sequence += sum(outcome.status not in ("unchanged", "refused") for outcome in outcomes)
            self._documents = tuple(known[name] for name in sorted(known))
            self._columns = Columns.of(self._documents)
            return Edited(outcomes, self._sequence)

    def seen(self, sequence: int) -> Future[None]:
        """Done: what is written is found at once."""
        turn: Future[None] = Future()
        turn.set_result(None)
        return turn

    def vitals(self) -> Vitals:
        """Always level."""
        return Vitals(self._sequence, len(self._documents))

    def watch(self, swapped: Callable[[float], None]) -> None:
        """Nothing; there are no swaps to tell of."""

    def close(self) -> None:
        """Nothing; there is nothing to end."""

    def _start(self, call: SearchCall) -> tuple[datetime, int]:
        """The instant of the question and the first offset, a cursor's own where there is one."""
        if call.cursor is None:
            return call.query.as_of, 0
        cursor = decode(call.cursor, self._secret)
        as_of = call.query.as_of if call.as_of_given else cursor.as_of
        arms = self.experiments.treatment(call, datetime.now(UTC)).arms
        check(cursor, query_hash(call, as_of, SYSTEM), FINGERPRINT, arms)
        return as_of, cursor.offset

    def _scores(self, call: SearchCall, as_of: datetime) -> dict[int, float]:
        """Row → number of the query's words that the programme holds; only rows that may be shown."""
        words = set(call.query.text.casefold().split())
        allowed = np.flatnonzero(mask(self._columns, call.query.filters, as_of)).tolist()
        found = {row: float(sum(word in _text(self._documents[row]) for word in words)) for row in allowed}
        return {row: score for row, score in found.items() if score or not words}

    def _order(self, call: SearchCall, scores: Mapping[int, float], as_of: datetime) -> list[int]:
        rows = sorted(scores, key=lambda row: (-scores[row], row))
        for key in reversed(call.sort):
            if key == "relevance":
                rows.sort(key=lambda row: -scores[row])
            else:
                # Stable, and twice: a programme that does not state the fact comes last either way.
                fact = FACTS[key.removeprefix("-")]
                stated = {row: fact(self._documents[row], as_of) for row in rows}
                known = [row for row in rows if stated[row] is not None]
                known.sort(key=lambda row: stated[row], reverse=key.startswith("-"))
                rows = known + [row for row in rows if stated[row] is None]
        if call.min_score is not None:
            floor = call.min_score.value
            rows = [row for row in rows if scores[row] >= floor]
        return rows

    def _hit(self, call: SearchCall, row: int, rank: int, score: float, as_of: datetime) -> dict[str, Any]:
        document = self._documents[row]
        listed = sources(document, self._kin(document))
        return {**fake_hit(call, document, score, as_of), "rank": rank, "sources": listed}

    def _kin(self, document: Document) -> list[Document]:
        """The records of one programme."""
        programme = document.programme_id
        return [one for one in self._documents if programme is not None and one.programme_id == programme]

    def _facets(self, call: SearchCall, rows: Sequence[int], as_of: datetime) -> list[dict[str, Any]]:
        chosen: Rows = np.asarray(rows, np.int64)
        return [
            {"field": field, "counts": [{"value": value, "count": count} for value, count in values]}
            for field, values in counts(self._columns, chosen, call.facets, as_of)
        ]


def open_fake(settings: Settings) -> FakeAnswerer:
    """The fake, as `create_app` opens an engine."""
    return FakeAnswerer(settings.cursor_key)


def _made(edit: Edit, known: dict[str, Document]) -> Status:
    """The status of an edit of `known`, which is as wished from here on."""
    stored = known.get(edit.doc_id)
    if edit.condition and not edit.condition(stored):
        return "refused"
    if edit.document is None:
        return "unchanged" if known.pop(edit.doc_id, None) is None else "deleted"
    if stored == edit.document:
        return "unchanged"
    known[edit.doc_id] = edit.document
    return "created" if stored is None else "updated"


def _names(document: Document) -> list[tuple[str, str]]:
    return [(document.title, "title"), *((alias, "alias") for alias in document.aliases)]


def _text(document: Document) -> str:
    parts = (document.title, *document.aliases, document.provider, document.description, document.eligibility)
    return " ".join(part for part in parts if part).casefold()


def _understood(call: SearchCall) -> dict[str, Any]:
    words = {"raw": call.query.text, "normalised": " ".join(call.query.text.casefold().split())}
    return {**words, "lang": call.query.lang, "aliases": [], "parsed_filters": [], "time_intent": None}


def _served() -> dict[str, Any]:
    fixed = {"precision": None, "depth": None, "reranked": False}
    return {"system": SYSTEM, **fixed, "fingerprint": FINGERPRINT}
