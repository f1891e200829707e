"""What a writer wishes for one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from index.document import Document

Condition = Callable[[Document | None], bool]
"""Whether an edit may be made, given the record as it is stored (None: there is none, or it was deleted)."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One wish: `document` stored under its id, or the record of that id deleted when it is None.

    condition: looked at within the transaction, so nobody can come between; None = whatever is stored.
    """

    doc_id: str
    document: Document | None
    condition: Condition | None = None

    @staticmethod
    def put(document: Document, condition: Condition | None = None) -> Edit:
        """The wish to store a document."""
        return Edit(document.doc_id, document, condition)

    @staticmethod
    def remove(doc_id: str, condition: Condition | None = None) -> Edit:
        """The wish to delete a record."""
        return Edit(doc_id, None, condition)
