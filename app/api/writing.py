"""Writing records: one by its address, or many in one body. An answer comes after the commit has reached the disk."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query
from starlette.requests import Request
from starlette.responses import Response

from app.answerer import Answerer
from app.errors import (
    BodyTooLarge,
    Forbidden,
    InvalidRequest,
    MalformedJson,
    NotFound,
    NotReady,
    Overloaded,
    PreconditionFailed,
    StoreDown,
    UnsupportedMediaType,
)
from app.etag import etag_of, stands
from app.store import Edit
from app.store.entry import Edited
from index.document import Document

from .bulk import NDJSON, Item, is_one_value, items_of, record_item, unpacked
from .deps import Asked, CleanQuery, Exchange
from .openapi import refusals
from .payload import check_media_type, parse_object
from .schemas.lookup import ProblemFault
from .schemas.writing import BulkAnswer, BulkItem, WriteParams, Written

router = APIRouter(prefix="/v1", tags=["records"])
BULK = "/v1/opportunities:bulk"

_NO_STORE = {"Cache-Control": "no-store"}
_RECORD = {
    "title": "Ocean Futures Doctoral Fellowship",
    "provider": "Northsea Institute",
    "levels": ["phd"],
    "host_countries": ["NO"],
    "windows": [{"kind": "fixed", "deadline_on": "2027-01-15", "zone": "Europe/Oslo"}],
}
_MANY = (
    '{"id": "ocean-phd", "title": "Ocean Futures Fellowship", "levels": ["phd"]}\n{"delete": "old-prize"}\n'
)
_OBJECT = {"type": "object", "description": "A record in the contract form or the flat form."}

_ANY = {"description": "A record or a deletion. What is neither is rejected alone."}


def _writer(asked: Asked) -> Exchange:
    """The exchange of a caller who may write. Raises Forbidden before anything of the body is read."""
    if not asked.is_writer:
        settings = asked.runtime.settings
        if settings.write_key is None and settings.admin_key is None:
            raise Forbidden("This service takes no writes: SCHOLARSEARCH_WRITE_KEY is not set.")
        raise Forbidden("Writing needs the write key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`.")
    return asked


Writer = Annotated[Exchange, Depends(_writer)]
Params = Annotated[WriteParams, Query()]


@router.put(
    "/opportunities/{doc_id}",
    summary="Store one record",
    response_model=Written,
    responses={
        201: {"model": Written, "description": "There was no such record"},
        **refusals(MalformedJson, Forbidden, PreconditionFailed, BodyTooLarge, UnsupportedMediaType),
        **refusals(InvalidRequest, Overloaded, NotReady, StoreDown),
    },
    dependencies=[CleanQuery],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _OBJECT, "example": _RECORD}},
        }
    },
)
async def put(
    doc_id: str,
    writer: Writer,
    params: Params,
    request: Request,
    if_match: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """The record is as sent from here on; sending it twice is harmless.

    `If-Match` with the ETag of a `GET` keeps you from undoing somebody else's change, `If-None-Match: *` from
    replacing anything.
    """
    check_media_type(request.headers.get("content-type"))
    item = record_item(parse_object(await request.body()), doc_id)
    if item.edit is None or item.edit.document is None:
        raise InvalidRequest(*item.faults)
    before = _Before(if_match, if_none_match)
    document = item.edit.document
    status, answer = await _one(writer, Edit.put(document, before.allows), params.wait_ms)
    stored = before.stored if status == "unchanged" and before.stored is not None else document
    headers = {"ETag": etag_of(stored), **_NO_STORE}
    return _json(answer, 201 if status == "created" else 200, headers)


@router.delete(
    "/opportunities/{doc_id}",
    summary="Delete one record",
    response_model=Written,
    responses=refusals(
        Forbidden, NotFound, PreconditionFailed, InvalidRequest, Overloaded, NotReady, StoreDown
    ),
    dependencies=[CleanQuery],
)
async def delete(
    doc_id: str,
    writer: Writer,
    params: Params,
    if_match: Annotated[str | None, Header()] = None,
) -> Response:
    """The record is found no more; its history stays in the store, and storing it again brings it back."""
    before = _Before(if_match, None)
    status, answer = await _one(writer, Edit.remove(doc_id, before.allows), params.wait_ms)
    if status == "unchanged":
        raise NotFound("There is no programme of this id.")
    return _json(answer, 200, _NO_STORE)


@router.post(
    "/opportunities:bulk",
    summary="Store and delete many records",
    response_model=BulkAnswer,
    responses={
        **refusals(MalformedJson, Forbidden, BodyTooLarge, UnsupportedMediaType),
        **refusals(InvalidRequest, Overloaded, NotReady, StoreDown),
    },
    dependencies=[CleanQuery],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/x-ndjson": {"schema": {"type": "string"}, "example": _MANY},
                "application/json": {"schema": {"type": "array", "items": _ANY}},
            },
        }
    },
)
async def bulk(writer: Writer, params: Params, request: Request) -> Response:
    """One record a line, or a JSON array of them; `{"delete": ID}` deletes. `Content-Encoding: gzip` is understood.

    Items that cannot be taken are rejected one by one, with the reason; the others are stored all together or, on an
    error of the store, not at all. Sending a body twice is harmless.
    """
    kind = request.headers.get("content-type")
    check_media_type(kind, NDJSON)
    body = await request.body()
    encoding, limit = request.headers.get("content-encoding"), writer.runtime.settings.bulk_limit_bytes
    answerer, at = writer.runtime.engine.answerer(), writer.runtime.now()

    def work(_: float) -> tuple[list[Item], Edited | None]:
        items = items_of(unpacked(body, encoding, limit), one_value=is_one_value(kind))
        edits = [item.edit for item in items if item.edit is not None]
        return items, answerer.write(edits, at) if edits else None

    items, edited = await writer.runtime.writes.run(work)
    statuses = _statuses(items, edited)
    writer.runtime.telemetry.wrote(statuses)
    sequence = edited.sequence if edited else answerer.vitals().sequence
    answer = BulkAnswer(
        sequence=sequence,
        searchable=await _seen(answerer, sequence, params.wait_ms),
        counts=dict(Counter(statuses)),
        items=[_told(index, *pair) for index, pair in enumerate(zip(items, statuses, strict=True))],
    )
    return _json(answer, 200, _NO_STORE)


class _Before:
    """What a writer says of the record that is stored, and the record that was found."""

    def __init__(self, if_match: str | None, if_none_match: str | None) -> None:
        self._if_match = if_match
        self._if_none_match = if_none_match
        self.stored: Document | None = None

    def allows(self, stored: Document | None) -> bool:
        """Whether the write may go on."""
        self.stored = stored
        return stands(None if stored is None else etag_of(stored), self._if_match, self._if_none_match)


async def _one(writer: Exchange, edit: Edit, wait_ms: int) -> tuple[str, Written]:
    """The status of one edit and the answer that says so. Raises PreconditionFailed."""
    runtime = writer.runtime
    answerer, at = runtime.engine.answerer(), runtime.now()
    edited = await runtime.writes.run(lambda _: answerer.write([edit], at))
    outcome = edited.outcomes[0]
    runtime.telemetry.wrote([outcome.status])
    if outcome.status == "refused":
        raise PreconditionFailed(
            "The record is not in the state that your precondition names: read it again."
        )
    searchable = await _seen(answerer, edited.sequence, wait_ms)
    known: dict[str, Any] = {"id": outcome.doc_id, "status": outcome.status}
    return outcome.status, Written(**known, sequence=edited.sequence, searchable=searchable)


async def _seen(answerer: Answerer, sequence: int, wait_ms: int) -> bool:
    """Whether searches see that change, after at most `wait_ms`."""
    turn = answerer.seen(sequence)
    if not turn.done() and wait_ms:
        await asyncio.wait([asyncio.wrap_future(turn)], timeout=wait_ms / 1000)
    return turn.done()


def _statuses(items: Sequence[Item], edited: Edited | None) -> list[str]:
    """The status of every item, in order."""
    outcomes = iter(edited.outcomes if edited else ())
    return ["rejected" if item.edit is None else next(outcomes).status for item in items]


def _told(index: int, item: Item, status: str) -> BulkItem:
    errors = [
        ProblemFault(pointer=fault.pointer, code=fault.code, message=fault.message) for fault in item.faults
    ]
    known: dict[str, Any] = {"id": item.doc_id, "status": status}
    return BulkItem(index=index, **known, errors=errors)


def _json(answer: Written | BulkAnswer, status: int, headers: dict[str, str]) -> Response:
    return Response(answer.model_dump_json(), status, media_type="application/json", headers=headers)
