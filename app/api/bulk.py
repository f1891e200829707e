"""A body of many records → one item each: a wish for the store, or what is wrong with it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO

from app.errors import BodyTooLarge, Fault, InvalidRequest, MalformedJson, UnsupportedMediaType
from app.store import Edit
from index.errors import RecordError
from index.record import parse_record

from .payload import faults_in, parse_value, text_of
from .problems import field_pointer

MOST_ITEMS = 20_000
NDJSON = frozenset(
    {"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"}
)


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a body. `edit` is None when it cannot be taken, and `faults` say why."""

    doc_id: str | None
    edit: Edit | None
    faults: tuple[Fault, ...] = ()


def is_one_value(content_type: str | None) -> bool:
    """Whether a body of that type is one JSON value by its own word. Other types leave it to the body."""
    return (content_type or "").partition(";")[0].strip().lower() == "application/json"


def unpacked(body: bytes, encoding: str | None, limit_bytes: int) -> bytes:
    """The body as its Content-Encoding says. Raises BodyTooLarge, MalformedJson or UnsupportedMediaType."""
    kind = (encoding or "identity").strip().lower()
    if kind == "identity":
        return body
    if kind not in ("gzip", "x-gzip"):
        raise UnsupportedMediaType("Send the body as it is, or with Content-Encoding: gzip.")
    try:
        with gzip.open(BytesIO(body)) as packed:
            content = packed.read(limit_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise MalformedJson("The body is not whole as gzip.") from error
    if len(content) > limit_bytes:
        raise BodyTooLarge(f"A body may have at most {limit_bytes} bytes when unpacked.")
    return content


def items_of(body: bytes, *, one_value: bool) -> list[Item]:
    """The items of a JSON array, or of lines with one JSON value each, unless it has to be `one_value`.

    Raises MalformedJson for a value that is broken somewhere, InvalidRequest for one that is no array, or has too many
    items.
    """
    text = text_of(body)
    items: list[Item] = []
    for item in _array(text) if one_value or text.lstrip().startswith("[") else _lines(text):
        if len(items) == MOST_ITEMS:
            raise InvalidRequest(Fault("", "too-long", f"may hold at most {MOST_ITEMS} items"))
        items.append(item)
    return items


def record_item(value: object, doc_id: str | None = None) -> Item:
    """The item of one record; with `doc_id`, the id that it must have and need not state."""
    faults = faults_in(value)
    if not isinstance(value, dict):
        faults.append(Fault("", "wrong-type", "must be a JSON object"))
    if faults or not isinstance(value, dict):
        return Item(doc_id, None, tuple(faults))
    stated = value.get("id", doc_id)
    if doc_id is not None and stated != doc_id:
        return Item(doc_id, None, (Fault("/id", "invalid", "must be the id that is asked for"),))
    named = stated if isinstance(stated, str) and len(stated) <= 128 else None
    try:
        document = parse_record({**value, "id": stated})
    except RecordError as error:
        return Item(named, None, (Fault(field_pointer(error.field), "invalid", error.reason),))
    return Item(document.doc_id, Edit.put(document))


def _array(text: str) -> Iterator[Item]:
    values = parse_value(text)
    if not isinstance(values, list):
        what = "must be an array of records; send records line by line as application/x-ndjson"
        raise InvalidRequest(Fault("", "wrong-type", what))
    return map(_item, values)


def _lines(text: str) -> Iterator[Item]:
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            value = parse_value(line)
        except MalformedJson as error:
            yield Item(None, None, (Fault("", "malformed-json", error.detail),))
        else:
            yield _item(value)


def _item(value: object) -> Item:
    if isinstance(value, Mapping) and "delete" in value:
        doc_id = value["delete"]
        if len(value) > 1 or not isinstance(doc_id, str) or not doc_id or faults_in(doc_id):
            return Item(
                None, None, (Fault("/delete", "invalid", "must be the id of a record, and stand alone"),)
            )
        return Item(doc_id, Edit.remove(doc_id))
    return record_item(value)
