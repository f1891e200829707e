"""`/v1/rerank`: the caller's own texts, ranked for a query by the reranker behind the search."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.answerer import Answerer
from app.errors import (
    BodyTooLarge,
    Fault,
    InvalidRequest,
    MalformedJson,
    NotReady,
    Overloaded,
    UnsupportedMediaType,
)
from app.instant import parse_instant
from app.rerank_call import Offered, RerankCall
from index.errors import RecordError
from index.record import parse_record

from .deps import Asked, Exchange, body_of
from .openapi import json_body, refusals
from .problems import field_pointer
from .schemas.rerank import OfferedDocument, RerankAnswer, RerankRequest

router = APIRouter(prefix="/v1", tags=["search"])
RERANK = "/v1/rerank"

_EXAMPLE = {
    "query": "master's in Germany for engineers",
    "documents": [
        "Fully funded master's places in engineering at technical universities in Germany.",
        {"id": "b", "text": "A prize for young poets.", "windows": [{"deadline_on": "2026-03-01"}]},
    ],
    "top_n": 1,
}


@router.post(
    "/rerank",
    summary="Rank texts of your own",
    response_model=RerankAnswer,
    responses=refusals(
        MalformedJson, BodyTooLarge, UnsupportedMediaType, InvalidRequest, Overloaded, NotReady
    ),
    openapi_extra=json_body(RerankRequest, _EXAMPLE),
)
async def rerank(body: Annotated[RerankRequest, Depends(body_of(RerankRequest))], asked: Asked) -> Response:
    """Best first, each with the chance that it is useful to who asked."""
    call = _call(body, asked)
    answerer = asked.runtime.engine.answerer()
    request_id = asked.observation.request_id
    content = await asked.unless_gone(
        asked.runtime.searches.run(lambda _: written(answerer, call, body, request_id))
    )
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-cache"})


def written(answerer: Answerer, call: RerankCall, body: RerankRequest, request_id: str) -> bytes:
    """The answer as JSON bytes; runs on a worker thread."""
    raw = answerer.rerank(call)
    results = [
        {**result, "document": _shown(body, result["index"]) if body.return_documents else None}
        for result in raw["results"]
    ]
    answer = RerankAnswer.model_validate({**raw, "results": results, "request_id": request_id})
    return answer.model_dump_json().encode()


def _call(body: RerankRequest, asked: Exchange) -> RerankCall:
    now = asked.runtime.now().replace(microsecond=0)
    return RerankCall(
        query=body.query,
        as_of=parse_instant(body.as_of, body.timezone) if body.as_of else now,
        offered=tuple(_offered(document, at) for at, document in enumerate(body.documents)),
        top_n=body.top_n,
    )


def _offered(document: str | OfferedDocument, at: int) -> Offered:
    if isinstance(document, str):
        return Offered(document)
    try:
        # Windows are read as a record's; the record around them is only their frame.
        framed = parse_record({"id": "offered", "title": "offered", "windows": document.windows})
    except RecordError as error:
        where = f"/documents/{at}{field_pointer(error.field)}"
        raise InvalidRequest(Fault(where, "invalid", error.reason)) from None
    return Offered(document.text, framed.windows)


def _shown(body: RerankRequest, at: int) -> dict[str, Any]:
    document = body.documents[at]
    if isinstance(document, str):
        return {"text": document}
    return document.model_dump(exclude_none=True)
