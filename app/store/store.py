"""The store of records: batches in, documents and their history out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, RowMapping, Select, func, select

from index.document import Document

from .batch import RESTORED, Batch, clock, note, stored, told_changes
from .content import linked, read
from .edit import Edit
from .engine import reading, writing
from .entry import Changed, Counts, Edited, Entry, News, Outcome, Revision
from .tables import OPPORTUNITIES, REVISIONS

_ROWS_AT_ONCE = 1000


class Store:
    """Records with their revisions. Every method may raise StoreError; threads and processes may share it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def upsert(self, documents: Iterable[Document], source: str | None, at: datetime) -> list[Outcome]:
        """What became of each document: all are written in one transaction, which has reached the disk on return.

        A document whose content is stored already (`updated_at` aside) is unchanged: sending a batch twice is
        harmless. `source` says who sent it; of two documents with one id the later one stays.
        """
        with writing(self.engine) as connection:
            batch = Batch(connection, source, at)
            outcomes = batch.take(list(documents))
            batch.write()
        return outcomes

    def edit(self, edits: Sequence[Edit], source: str | None, at: datetime) -> Edited:
        """What became of each edit: all are made in one transaction, which has reached the disk on return.

        On an exception none is made. An edit whose condition does not hold is refused and keeps no other back.
        """
        with writing(self.engine) as connection:
            batch = Batch(connection, source, at)
            outcomes = batch.edit(edits)
            batch.write()
        return Edited(tuple(outcomes), batch.sequence)

    def delete(self, doc_id: str, at: datetime, source: str | None = None) -> bool:
        """Whether there was such a record to delete. Its content and history stay, and an upsert restores it."""
        return self.edit([Edit.remove(doc_id)], source, at).outcomes[0].status == "deleted"

    def get(self, doc_id: str) -> Entry | None:
        """The record and what is known of it, also when deleted (`deleted_at` says so); None if it never was."""
        with reading(self.engine) as connection:
            row = stored(connection, [doc_id]).get(doc_id)
        return None if row is None else _entry(row)

    def revisions(self, doc_id: str) -> list[Revision]:
        """The changes of one record since it was created, oldest first."""
        wanted = select(REVISIONS).where(REVISIONS.c.doc_id == doc_id).order_by(REVISIONS.c.sequence)
        with reading(self.engine) as connection:
            return [_revision(row) for row in connection.execute(wanted).mappings()]

    def documents(self) -> Iterator[Document]:
        """Every record that is not deleted, in ascending id, from one state of the store; in constant memory.

        Linked ones name the programme they are part of.
        """
        wanted = select(OPPORTUNITIES).where(OPPORTUNITIES.c.deleted_at.is_(None))
        for row in self._stream(wanted.order_by(OPPORTUNITIES.c.doc_id)):
            yield linked(row["record"], row["programme"])

    def records(self) -> Iterator[Document]:
        """The same, each as it was written."""
        wanted = select(OPPORTUNITIES.c.record).where(OPPORTUNITIES.c.deleted_at.is_(None))
        for row in self._stream(wanted.order_by(OPPORTUNITIES.c.doc_id)):
            yield read(row["record"])

    def changes_since(self, sequence: int) -> Iterator[Changed]:
        """Every record that changed after `sequence`, by its last change, in the order of these changes."""
        wanted = select(OPPORTUNITIES).where(OPPORTUNITIES.c.sequence > sequence)
        for row in self._stream(wanted.order_by(OPPORTUNITIES.c.sequence)):
            yield _changed(row)

    def news(self, sequence: int, limit: int) -> News:
        """What changed after `sequence`: at most `limit` records, of one state of the store. Cheap when nothing did."""
        wanted = select(OPPORTUNITIES).where(OPPORTUNITIES.c.sequence > sequence)
        with reading(self.engine) as connection:
            now, restored = clock(connection), note(connection, RESTORED)
            rows = wanted.order_by(OPPORTUNITIES.c.sequence).limit(limit)
            found = [] if now <= sequence else connection.execute(rows).mappings().all()
        changes = tuple(map(_changed, found))
        reached = now if len(changes) < limit else changes[-1].sequence if changes else min(sequence, now)
        return News(changes, reached, now, None if restored is None else int(restored))

    def sequence(self) -> int:
        """The number of the last change that is visible."""
        with reading(self.engine) as connection:
            return clock(connection)

    def counts(self) -> Counts:
        """How much there is."""
        with reading(self.engine) as connection:
            total, deleted = connection.execute(
                select(func.count(), func.count(OPPORTUNITIES.c.deleted_at)).select_from(OPPORTUNITIES)
            ).one()
            revisions = connection.execute(select(func.count()).select_from(REVISIONS)).scalar_one()
            return Counts(total - deleted, deleted, revisions, clock(connection))

    def note(self, key: str) -> str | None:
        """What the store remembers of itself under `key`."""
        with reading(self.engine) as connection:
            return note(connection, key)

    def close(self) -> None:
        """Lets go of every connection."""
        self.engine.dispose()

    def _stream(self, wanted: Select[Any]) -> Iterator[RowMapping]:
        with reading(self.engine) as connection:
            rows = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(wanted)
            yield from rows.mappings()


def _changed(row: RowMapping) -> Changed:
    document = None if row["deleted_at"] is not None else linked(row["record"], row["programme"])
    return Changed(row["sequence"], row["doc_id"], document)


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(
        document=read(row["record"]),
        content_hash=row["content_hash"],
        source=row["source"],
        from_catalogue=row["shipped_hash"] == row["content_hash"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        deleted_at=row["deleted_at"],
        sequence=row["sequence"],
    )


def _revision(row: RowMapping) -> Revision:
    return Revision(
        sequence=row["sequence"],
        at=row["at"],
        source=row["source"],
        kind=row["kind"],
        changes=tuple(told_changes(row["changes"])),
        sentence=row["sentence"],
    )
