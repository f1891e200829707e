"""`/v1/precision`: the rung that serves, why, and the operator's word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app.errors import BodyTooLarge, Fault, Forbidden, InvalidRequest, MalformedJson, NotReady, StoreDown
from app.errors import UnsupportedMediaType as UnsupportedType
from models.rung import depth_of

from .deps import Asked, Exchange, body_of
from .openapi import json_body, refusals
from .schemas.precision import PrecisionBody, PrecisionShown

if TYPE_CHECKING:
    from app.precision.keeper import Keeper  # it loads what reranks

router = APIRouter(prefix="/v1", tags=["operation"])

_RETRY_S = 5


def _admin(asked: Asked) -> Exchange:
    """The exchange of an administrator. Raises Forbidden before anything of the body is read."""
    if not asked.is_admin:
        raise Forbidden(
            "Changing the precision needs the admin key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`."
        )
    return asked


@router.get(
    "/precision",
    summary="The precision ladder",
    response_model=PrecisionShown,
    responses=refusals(NotReady),
)
async def shown(asked: Asked) -> Response:
    """The rung that serves, what it was chosen by, and how every rung does on this machine."""
    return _json(asked.runtime.engine.answerer().ladder)


@router.put(
    "/precision",
    summary="Pin a rung, or let the policy decide",
    response_model=PrecisionShown,
    responses=refusals(
        MalformedJson, BodyTooLarge, UnsupportedType, Forbidden, InvalidRequest, NotReady, StoreDown
    ),
    openapi_extra=json_body(PrecisionBody, {"pin": "int8"}),
)
async def change(
    asked: Annotated[Exchange, Depends(_admin)],
    body: Annotated[PrecisionBody, Depends(body_of(PrecisionBody))],
) -> Response:
    """What is decided holds for every process of this home within a second, and after a restart."""
    ladder = asked.runtime.engine.answerer().ladder
    if body.pin is not None and (fault := _fault(ladder, body)) is not None:
        raise InvalidRequest(fault)
    try:
        await run_in_threadpool(ladder.pin, body.pin)
    except OSError as error:
        detail = f"The decision cannot be kept: {error.strerror}."
        raise StoreDown(detail, retry_after_s=_RETRY_S) from error
    return _json(ladder)


def _fault(ladder: Keeper, body: PrecisionBody) -> Fault | None:
    """Why that rung cannot be pinned here."""
    state, pin = ladder.state, body.pin
    if pin is None:
        return None
    if pin not in state.rungs:
        known = next((one["detail"] for one in ladder.report()["rungs"] if one["rung"] == pin), "unknown")
        return Fault("/pin", "not-on-ladder", f"{pin} does not serve here: {known}")
    if depth_of(pin) > depth_of(state.rules.floor):
        return Fault("/pin", "below-floor", f"{pin} is below the floor, {state.rules.floor}")
    return None


def _json(ladder: Keeper) -> Response:
    content = PrecisionShown.model_validate(ladder.report()).model_dump_json()
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-store"})
