"""Entity tags of records: what a writer shows to prove that it knows the state it is about to replace."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from index.document import Document
from index.record import to_record

from .store.content import canonical


def etag(record: Mapping[str, object]) -> str:
    """The strong entity tag of a record in its JSON form, in quotes."""
    return f'"{sha256(canonical(record).encode()).hexdigest()[:32]}"'


def etag_of(document: Document) -> str:
    """The strong entity tag of a document's record."""
    return etag(to_record(document))


def stands(tag: str | None, if_match: str | None, if_none_match: str | None) -> bool:
    """Whether a write may go on under its preconditions; tag: of what is there, None where nothing is."""
    if if_match is not None and (tag is None or not matches(if_match, tag, weakly=False)):
        return False
    return not (if_none_match is not None and tag and matches(if_none_match, tag, weakly=True))


def matches(header: str, tag: str, *, weakly: bool) -> bool:
    """Whether one of the tags in an If-Match or If-None-Match header is `tag`; `*` is any (RFC 9110, 13.1).

    weakly: a tag that is marked as weak counts too.
    """
    tags = [part.strip() for part in header.split(",")]
    if weakly:
        tags = [part.removeprefix("W/") for part in tags]
    return "*" in tags or tag in tags
