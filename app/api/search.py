"""`/v1/search`: a request in, one call to the engine on a worker thread, an answer out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from app.answerer import Answerer
from app.call import SearchCall
from app.errors import (
    BodyTooLarge,
    BudgetExhausted,
    CursorExpired,
    CursorInvalid,
    Forbidden,
    InvalidRequest,
    MalformedJson,
    NotReady,
    Overloaded,
    ServiceError,
    UnsupportedMediaType,
    kind_of,
)

from .calls import call_of
from .deps import Asked, CleanQuery, Exchange, body_of, validated
from .exposing import Expose, exposer
from .openapi import json_body, refusals
from .schemas.search_answer import SearchAnswer
from .schemas.search_params import SearchParams
from .schemas.search_request import SearchRequest

router = APIRouter(prefix="/v1", tags=["search"])

_EXAMPLE = {"query": "NSF GRFP", "filters": {"levels": ["phd"], "availability": ["open"]}, "page_size": 5}
_REFUSALS = refusals(
    Forbidden, CursorExpired, InvalidRequest, CursorInvalid, Overloaded, NotReady, BudgetExhausted
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """An answer as bytes, with what the edge wants to know of it."""

    content: bytes
    timings_ms: Mapping[str, float]
    degraded: tuple[tuple[str, str], ...]


@router.post(
    "/search",
    summary="Search, with everything there is to ask",
    response_model=SearchAnswer,
    responses={**refusals(MalformedJson, BodyTooLarge, UnsupportedMediaType), **_REFUSALS},
    openapi_extra=json_body(SearchRequest, _EXAMPLE),
)
async def search(body: Annotated[SearchRequest, Depends(body_of(SearchRequest))], asked: Asked) -> Response:
    """Search by a JSON body."""
    return await serve(body, asked)


@router.get(
    "/search",
    summary="Search by a query string",
    response_model=SearchAnswer,
    responses=_REFUSALS,
    dependencies=[CleanQuery],
)
async def search_by_query_string(params: Annotated[SearchParams, Query()], asked: Asked) -> Response:
    """Search by parameters; list filters are repeated: `?level=phd&level=master`."""
    return await serve(validated(SearchRequest, params.as_body()), asked)


async def serve(body: SearchRequest, asked: Exchange) -> Response:
    """The answer to one search."""
    call = call_of(body, asked)
    if body.filters.nationality is not None:
        asked.observation.private = True  # where somebody comes from is theirs, wherever it stands
    answerer = asked.runtime.engine.answerer()
    door, expose = asked.runtime.searches, exposer(asked, body, call)
    rendered = await asked.unless_gone(
        door.run(lambda waited_ms: compute(answerer, call, waited_ms, expose), call.priority, call.budget_ms)
    )
    asked.observation.timings_ms = rendered.timings_ms
    asked.observation.degraded = rendered.degraded
    return Response(rendered.content, media_type="application/json", headers={"Cache-Control": "no-cache"})


def compute(answerer: Answerer, call: SearchCall, waited_ms: float, expose: Expose) -> Rendered:
    """The engine's answer, checked, written and logged; runs on a worker thread.

    waited_ms: the time in the queue. It counts against the caller's budget and in the answer's total.
    """
    left_ms = None if call.budget_ms is None else max(call.budget_ms - waited_ms, 0.0)
    try:
        raw = answerer.search(replace(call, budget_ms=left_ms))
    except Exception as error:
        if not isinstance(error, ServiceError) or kind_of(error).status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            expose.failed()
        raise
    timings: dict[str, Any] = {"queue": round(waited_ms, 3), **raw["timings_ms"]}
    timings["total"] = timings.get("total", 0.0) + timings["queue"]
    started = time.monotonic()
    answer = SearchAnswer.model_validate({**raw, "request_id": call.request_id, "timings_ms": timings})
    content = answer.model_dump_json().encode()
    serialise_ms = (time.monotonic() - started) * 1000
    started = time.monotonic()
    expose.answered(answer)
    expose_ms = (time.monotonic() - started) * 1000
    degraded = tuple((part.stage, part.reason) for part in answer.degraded)
    return Rendered(content, {**answer.timings_ms, "serialise": serialise_ms, "expose": expose_ms}, degraded)
