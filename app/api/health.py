"""How the service is: alive, ready, made of what, and measured how. None of these waits for a search."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.errors import NotReady

from .deps import Asked
from .openapi import refusals
from .schemas.lookup import Health, Readiness, Version

router = APIRouter(tags=["operation"])

_NO_STORE = {"Cache-Control": "no-store"}


@router.get("/healthz", summary="The process is alive", response_model=Health)
async def healthz() -> Response:
    """Answers as long as the process does, whatever the engine is doing."""
    return Response(Health().model_dump_json(), media_type="application/json", headers=_NO_STORE)


@router.get(
    "/readyz", summary="A search would be answered", response_model=Readiness, responses=refusals(NotReady)
)
async def readyz(asked: Asked) -> Response:
    """503 with what is missing, until the snapshot and the models are loaded and tested."""
    vitals = asked.runtime.engine.check().vitals()
    state = Readiness(
        store=vitals.store,
        since=vitals.since,
        sequence=vitals.sequence,
        lag_s=vitals.lag_s,
        pending_vectors=vitals.pending_vectors,
    )
    return Response(state.model_dump_json(), media_type="application/json", headers=_NO_STORE)


@router.get("/v1/version", summary="What answers", response_model=Version, responses=refusals(NotReady))
async def version(asked: Asked, request: Request) -> Response:
    """The parts of the fingerprint: two services with the same parts give the same answers."""
    parts = {"version": request.app.version, **asked.runtime.engine.answerer().version()}
    content = Version.model_validate(parts).model_dump_json()
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-cache"})


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    response_class=Response,
    responses={200: {"description": "The metrics as text", "content": {"text/plain": {}}}},
)
async def metrics(asked: Asked, request: Request) -> Response:
    """The figures of this process."""
    content, content_type = asked.runtime.telemetry.exposition(request.headers.get("accept", ""))
    return Response(content, headers={"Content-Type": content_type, **_NO_STORE})
