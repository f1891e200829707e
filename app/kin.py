"""The records of one programme: several feeds' words for one award, or its rounds in rows of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from index.document import Document
from index.snapshot import Snapshot

MOST = 64
"""With more, they are the calls of a funder under one name rather than rounds of one award."""


def kin(snapshot: Snapshot, row: int) -> list[Document]:
    """Every record of the programme that `row` is of, itself included, in ascending id."""
    document = snapshot.corpus[row]
    if document.programme_id is None:  # then it stands alone, and nobody has to look
        return [document]
    programmes = snapshot.columns.programmes
    rows = np.flatnonzero(programmes == programmes[row])
    return [snapshot.corpus[sibling] for sibling in rows.tolist()]


def sources(shown: Document, documents: Iterable[Document]) -> list[dict[str, Any]] | None:
    """Who lists a programme: the record that is shown first, then the others; None when there are none."""
    others = [one for one in documents if one.doc_id != shown.doc_id]
    if not others:
        return None
    others.sort(key=lambda one: (one.source or "", one.doc_id))
    return [
        {"id": one.doc_id, "source": one.source, "url": one.url, "title": one.title}
        for one in (shown, *others[: MOST - 1])
    ]
