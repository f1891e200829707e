"""`/v1/suggest`: completions as somebody types."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.answerer import Answerer
from app.errors import InvalidRequest, NotReady, Overloaded

from .deps import Asked, CleanQuery
from .openapi import refusals
from .schemas.lookup import Suggestions
from .schemas.vocabulary import QueryText

router = APIRouter(prefix="/v1", tags=["search"])


class SuggestParams(BaseModel):
    """The parameters of `GET /v1/suggest`."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    q: QueryText
    limit: Annotated[int, Field(ge=1, le=20)] = 8


@router.get(
    "/suggest",
    summary="Completions as you type",
    response_model=Suggestions,
    responses=refusals(InvalidRequest, Overloaded, NotReady),
    dependencies=[CleanQuery],
)
async def suggest(params: Annotated[SuggestParams, Query()], asked: Asked) -> Response:
    """Names, aliases, providers and fields that begin like `q`, best first."""
    answerer = asked.runtime.engine.answerer()
    content = await asked.unless_gone(asked.runtime.lookups.run(lambda _: written(answerer, params)))
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-cache"})


def written(answerer: Answerer, params: SuggestParams) -> bytes:
    """The completions as JSON bytes; runs on a worker thread."""
    found = answerer.suggest(params.q, params.limit)
    return Suggestions.model_validate({"suggestions": list(found)}).model_dump_json().encode()
