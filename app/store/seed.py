"""The shipped catalogue into the store, without touching what an operator has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, select

from index.document import Document

from .batch import Batch, note, remember, stored
from .engine import writing
from .store import Store
from .tables import OPPORTUNITIES

SOURCE = "catalogue"
_EDITION, _NEWEST = "catalogue", "catalogue_newest"
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Seeded:
    """What a catalogue did: records that came, changed and went; `kept` are the operator's and stayed as they are."""

    created: int = 0
    updated: int = 0
    removed: int = 0
    kept: int = 0


def seed(
    store: Store, edition: str, catalogue: Callable[[], Iterable[Document]], at: datetime
) -> Seeded | None:
    """What the catalogue did to the store, in one transaction; None when this or a newer edition is there.

    A record is the catalogue's as long as its content is what an edition gave. What an operator wrote, changed,
    deleted or restored is theirs for good. `edition` tells one catalogue from another; it is read only when new.
    """
    if store.note(_EDITION) == edition:
        return None
    documents = list(catalogue())
    newest = max((one.updated_at for one in documents if one.updated_at is not None), default=_LONG_AGO)
    with writing(store.engine) as connection:
        # The first writer; a second one waits here and then sees it.
        batch = Batch(connection, SOURCE, at, shipped=True)
        if note(connection, _EDITION) == edition or newest.isoformat() < (note(connection, _NEWEST) or ""):
            return None
        theirs = _theirs(connection)
        outcomes = batch.take(documents)
        gone = _ours(connection) - {document.doc_id for document in documents}
        for row in stored(connection, sorted(gone)).values():
            batch.delete(row)
        batch.write()
        remember(connection, {_EDITION: edition, _NEWEST: newest.isoformat()})
    said = [outcome.status for outcome in outcomes]
    kept = sum(document.doc_id in theirs for document in documents)
    return Seeded(said.count("created"), said.count("updated"), len(gone), kept)


def _ours(connection: Connection) -> set[str]:
    wanted = select(OPPORTUNITIES.c.doc_id).where(
        OPPORTUNITIES.c.shipped_hash == OPPORTUNITIES.c.content_hash, OPPORTUNITIES.c.deleted_at.is_(None)
    )
    return set(connection.execute(wanted).scalars())


def _theirs(connection: Connection) -> set[str]:
    wanted = select(OPPORTUNITIES.c.doc_id).where(
        OPPORTUNITIES.c.shipped_hash.is_distinct_from(OPPORTUNITIES.c.content_hash)
    )
    return set(connection.execute(wanted).scalars())
