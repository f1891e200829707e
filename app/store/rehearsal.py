"""What a store would make of documents, without writing any."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b

from sqlalchemy import select

from index.document import Document

from .batch import IDS_AT_ONCE
from .content import written
from .engine import reading
from .entry import Outcome
from .store import Store
from .tables import OPPORTUNITIES


class Rehearsal:
    """Takes what `Store.upsert` takes and says what it would answer; without a store everything is new.

    Two short numbers per document are held, for a later document of the same id meets the earlier.
    """

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._taken: dict[bytes, bytes] = {}

    def upsert(self, documents: Iterable[Document], source: str | None, at: datetime) -> list[Outcome]:
        """What would become of each document, in the order given. Raises StoreError."""
        batch = [(document.doc_id, written(document)[1]) for document in documents]
        known = self._stored([doc_id for doc_id, _ in batch])
        outcomes: list[Outcome] = []
        for doc_id, content in batch:
            key = blake2b(doc_id.encode(), digest_size=8).digest()
            before, after = self._taken.get(key, known.get(doc_id)), bytes.fromhex(content)[:8]
            self._taken[key] = after
            outcomes.append(
                Outcome(
                    doc_id, "created" if before is None else "unchanged" if before == after else "updated"
                )
            )
        return outcomes

    def _stored(self, ids: list[str]) -> dict[str, bytes]:
        """The contents of those that are stored and not deleted."""
        if self._store is None:
            return {}
        table, found = OPPORTUNITIES.c, dict[str, bytes]()
        with reading(self._store.engine) as connection:
            for start in range(0, len(ids), IDS_AT_ONCE):
                wanted = select(table.doc_id, table.content_hash).where(
                    table.doc_id.in_(ids[start : start + IDS_AT_ONCE]), table.deleted_at.is_(None)
                )
                found |= {
                    doc_id: bytes.fromhex(content)[:8] for doc_id, content in connection.execute(wanted)
                }
        return found
