"""`/v1/opportunities/{id}`: one record, with a strong ETag."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response

from app.answerer import Answerer
from app.errors import NotFound, NotReady, Overloaded

from .deps import Asked
from .openapi import refusals
from .schemas.lookup import Opportunity

router = APIRouter(prefix="/v1", tags=["search"])


@router.get(
    "/opportunities/{doc_id}",
    summary="One programme",
    response_model=Opportunity,
    responses={
        304: {"description": "Unchanged since the ETag given"},
        **refusals(NotFound, Overloaded, NotReady),
    },
)
async def opportunity(
    doc_id: str, asked: Asked, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """The record as it is held, with every field; what nobody stated is null."""
    answerer = asked.runtime.engine.answerer()
    content = await asked.runtime.lookups.run(lambda _: written(answerer, doc_id))
    if content is None:
        raise NotFound("There is no programme of this id.")
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    if matches(if_none_match, etag):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)


def written(answerer: Answerer, doc_id: str) -> bytes | None:
    """The record as JSON bytes, or None; runs on a worker thread."""
    record = answerer.opportunity(doc_id)
    return None if record is None else Opportunity.model_validate(record).model_dump_json().encode()


def matches(if_none_match: str | None, etag: str) -> bool:
    """Whether one of the tags is ours (RFC 9110, 13.1.2: compared weakly; `*` is any)."""
    if if_none_match is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or etag in tags
