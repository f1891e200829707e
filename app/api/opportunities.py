"""`/v1/opportunities/{id}`: one record, with a strong ETag."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response

from app.answerer import Answerer
from app.errors import NotFound, NotReady, Overloaded
from app.etag import etag, matches

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
    found = await asked.runtime.lookups.run(lambda _: written(answerer, doc_id))
    if found is None:
        raise NotFound("There is no programme of this id.")
    content, tag = found
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if if_none_match is not None and matches(if_none_match, tag, weakly=True):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)


def written(answerer: Answerer, doc_id: str) -> tuple[bytes, str] | None:
    """The record as JSON bytes and its entity tag, or None; runs on a worker thread."""
    record = answerer.opportunity(doc_id)
    if record is None:
        return None
    return Opportunity.model_validate(record).model_dump_json().encode(), etag(record)
