"""What the store gives back: outcomes of writing, entries, changes, revisions, counts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from index.document import Document

from .diff import Change

Status = Literal["created", "updated", "unchanged", "deleted", "refused"]
RevisionKind = Literal["updated", "deleted", "restored"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one document of a batch. A deleted record that comes back is created.

    unchanged: also a deletion of what is not there. refused: the condition of the edit did not hold.
    """

    doc_id: str
    status: Status


@dataclass(frozen=True, slots=True)
class Edited:
    """What became of edits, in their order; `sequence` is at least the number of the last change among them."""

    outcomes: tuple[Outcome, ...]
    sequence: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A record and what the store knows of it. `from_catalogue`: it is as the shipped catalogue gave it."""

    document: Document
    content_hash: str
    source: str | None
    from_catalogue: bool
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    sequence: int


@dataclass(frozen=True, slots=True)
class Changed:
    """The last change of one record; `document` is None when it was deleted."""

    sequence: int
    doc_id: str
    document: Document | None


@dataclass(frozen=True, slots=True)
class News:
    """What has happened after some change, from one state of the store.

    changes: the last change of every record that changed, in their order; at most as many as were asked for.
    sequence: the change that they lead up to. clock: the last change there is. restored_after: see `archive.restore`;
    whoever knows no change after it has to read all records anew. None when nothing was ever restored.
    """

    changes: tuple[Changed, ...]
    sequence: int
    clock: int
    restored_after: int | None


@dataclass(frozen=True, slots=True)
class Revision:
    """One change of one record after its creation: when, by which source, what, and in one sentence."""

    sequence: int
    at: datetime
    source: str | None
    kind: RevisionKind
    changes: tuple[Change, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the store holds; `sequence` is the number of its last change."""

    records: int
    deleted: int
    revisions: int
    sequence: int
