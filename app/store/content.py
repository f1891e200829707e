"""A record as the store writes it: canonical JSON and the hash of what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

from index.document import Document
from index.linking.cluster import LINKED
from index.record import from_stored, to_record


def canonical(value: object) -> str:
    """The one way this store writes a JSON value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def written(document: Document) -> tuple[str, str]:
    """The record's canonical JSON and the hash of its content.

    `updated_at` is no content: a feed that stamps every row anew has said nothing new. Remarks count only where there
    are any, so that a record without them keeps the hash it had before there were remarks.
    """
    record = to_record(document)
    text = canonical(record)
    del record["updated_at"]
    for remarks in ("regions", "doubts"):
        if not record[remarks]:
            del record[remarks]
    return text, sha256(canonical(record).encode()).hexdigest()


def read(text: str) -> Document:
    """The document of a stored record."""
    return from_stored(json.loads(text))


def linked(text: str, programme: str | None) -> Document:
    """The document of a stored record, as a part of the programme that links make of it."""
    document = read(text)
    return document if programme is None else replace(document, programme_id=programme)


def own(document: Document) -> Document:
    """The document without a programme that only links gave it: who sends back what they were shown states none."""
    made = document.programme_id is not None and document.programme_id.startswith(LINKED)
    return replace(document, programme_id=None) if made else document
