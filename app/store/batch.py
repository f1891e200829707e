"""One batch of documents against what is stored: who is new, who changed, and the rows that say so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from index.document import Document

from .content import canonical, linked, own, read, written
from .diff import Change, changes, sentence
from .edit import Edit
from .entry import Outcome, RevisionKind, Status
from .tables import CLOCK, META, OPPORTUNITIES, REVISIONS

IDS_AT_ONCE = 500
"""Parameters of one statement: below the least number that any SQLite takes."""
RESTORED = "restored_after"
"""Note: the last change before the newest restoration. Records that vanished with it are in no list of changes."""

Row = dict[str, Any]


@dataclass(slots=True)
class Batch:
    """The writes of one transaction, gathered and then made. `shipped`: the catalogue is writing."""

    connection: Connection
    source: str | None
    at: datetime
    shipped: bool = False
    _sequence: int = 0
    _new: dict[str, Row] = field(default_factory=dict)
    _changed: dict[str, Row] = field(default_factory=dict)
    _revisions: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError(f"{self.at!r} has no zone: the store keeps instants")
        # Locks the clock to the end of the transaction: writers queue here, numbers are given in commit order.
        self._sequence = self.connection.execute(
            update(CLOCK).values(sequence=CLOCK.c.sequence).returning(CLOCK.c.sequence)
        ).scalar_one()

    def take(self, documents: Sequence[Document]) -> list[Outcome]:
        """What becomes of each document, in the order given; a later one of the same id meets the earlier."""
        return self.edit([Edit.put(document) for document in documents])

    def edit(self, edits: Sequence[Edit]) -> list[Outcome]:
        """What becomes of each edit, in the order given; a later one of the same id meets the earlier."""
        known = stored(self.connection, [edit.doc_id for edit in edits])
        return [Outcome(edit.doc_id, self._edit(edit, known)) for edit in edits]

    @property
    def sequence(self) -> int:
        """The number of the last change, those of this batch included."""
        return self._sequence

    def delete(self, row: Row) -> Row:
        """The stored row, marked as deleted."""
        self._revise(row, "deleted", [], "record deleted")
        # What an operator deleted stays deleted, whatever later catalogues say of it.
        shipped_hash = row["shipped_hash"] if self.shipped else None
        return self._change({**row, "deleted_at": self.at, "shipped_hash": shipped_hash})

    def write(self) -> None:
        """Sends everything to the database."""
        if self._new:
            self.connection.execute(insert(OPPORTUNITIES), list(self._new.values()))
        if self._changed:
            names = [column.name for column in OPPORTUNITIES.columns if column.name != "doc_id"]
            statement = (
                update(OPPORTUNITIES)
                .where(OPPORTUNITIES.c.doc_id == bindparam("key"))
                .values({name: bindparam(f"new_{name}") for name in names})
            )
            rows = [
                {"key": row["doc_id"], **{f"new_{name}": row[name] for name in names}}
                for row in self._changed.values()
            ]
            self.connection.execute(statement, rows)
        if self._revisions:
            self.connection.execute(insert(REVISIONS), self._revisions)
        self.connection.execute(update(CLOCK).values(sequence=self._sequence))

    def _edit(self, edit: Edit, known: dict[str, Row]) -> Status:
        row = known.get(edit.doc_id)
        gone = row is None or row["deleted_at"] is not None
        held = None if row is None or gone else linked(row["record"], row.get("programme"))
        if edit.condition and not edit.condition(held):
            return "refused"
        if edit.document is not None:
            return self._take(own(edit.document), known)
        if row is None or gone:
            return "unchanged"
        known[edit.doc_id] = self.delete(row)
        return "deleted"

    def _take(self, document: Document, known: dict[str, Row]) -> Status:
        text, content_hash = written(document)
        row = known.get(document.doc_id)
        facts: Row = {
            "record": text,
            "content_hash": content_hash,
            "source": self.source,
            "licence": document.licence,
            "verified_on": document.verified_on,
            "updated_at": self.at,
            "deleted_at": None,
        }
        if row is None:
            shipped_hash = content_hash if self.shipped else None
            fresh = {"doc_id": document.doc_id, "created_at": self.at, "shipped_hash": shipped_hash, **facts}
            known[document.doc_id] = self._new[document.doc_id] = {**fresh, "sequence": self._next()}
            return "created"
        if self.shipped and row["shipped_hash"] != row["content_hash"]:
            return "unchanged"  # the operator's
        gone = row["deleted_at"] is not None
        if not gone and row["content_hash"] == content_hash:
            return "unchanged"
        found = changes(read(row["record"]), document)
        said = "; ".join(["record restored"] * gone + [sentence(found)] * bool(found))
        self._revise(row, "restored" if gone else "updated", found, said)
        if self.shipped:
            facts["shipped_hash"] = content_hash
        elif gone:
            facts["shipped_hash"] = None  # what an operator brings back is theirs
        known[document.doc_id] = self._change({**row, **facts})
        return "created" if gone else "updated"

    def _revise(self, row: Row, kind: RevisionKind, found: list[Change], said: str) -> None:
        self._revisions.append(
            {
                "sequence": self._next(),
                "doc_id": row["doc_id"],
                "at": self.at,
                "source": self.source,
                "kind": kind,
                "changes": canonical([asdict(change) for change in found]),
                "sentence": said,
            }
        )

    def _change(self, row: Row) -> Row:
        row = {**row, "sequence": self._sequence, "updated_at": self.at}
        (self._new if row["doc_id"] in self._new else self._changed)[row["doc_id"]] = row
        return row

    def _next(self) -> int:
        self._sequence += 1
        return self._sequence


def stored(connection: Connection, ids: Sequence[str]) -> dict[str, Row]:
    """The stored rows of those ids, deleted ones too."""
    found: dict[str, Row] = {}
    for start in range(0, len(ids), IDS_AT_ONCE):
        wanted = select(OPPORTUNITIES).where(OPPORTUNITIES.c.doc_id.in_(ids[start : start + IDS_AT_ONCE]))
        found.update((row["doc_id"], dict(row)) for row in connection.execute(wanted).mappings())
    return found


def clock(connection: Connection) -> int:
    """The number of the last change."""
    return int(connection.execute(select(func.max(CLOCK.c.sequence))).scalar_one())


def note(connection: Connection, key: str) -> str | None:
    """What the store remembers of itself under `key`."""
    return connection.execute(select(META.c.value).where(META.c.key == key)).scalar_one_or_none()


def remember(connection: Connection, notes: Mapping[str, str]) -> None:
    """Nothing; from here on the store remembers these values under their keys."""
    connection.execute(delete(META).where(META.c.key.in_(notes)))
    connection.execute(insert(META), [{"key": key, "value": value} for key, value in notes.items()])


def told_changes(text: str) -> Iterator[Change]:
    """The changes of a stored revision."""
    stated: list[Mapping[str, Any]] = json.loads(text)
    for item in stated:
        yield Change(item["field"], item["before"], item["after"], item["sentence"])
