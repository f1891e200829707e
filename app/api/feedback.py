"""`/v1/feedback`: what became of answers. An event is acknowledged once it has reached the disk."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.errors import (
    BodyTooLarge,
    Forbidden,
    InvalidRequest,
    MalformedJson,
    NotReady,
    Overloaded,
    StoreDown,
    UnsupportedMediaType,
)
from app.feedback.desk import Status
from app.feedback.errors import SpoolError
from app.feedback.event import Event
from app.feedback.forgetting import erase
from app.feedback.opening import Feedback
from app.store.errors import StoreError

from .deps import Asked, CleanQuery, Exchange, body_of
from .openapi import json_body, refusals
from .schemas.feedback import EraseBody, Erased, FeedbackAnswer, FeedbackBody, FeedbackItem
from .schemas.lookup import ProblemFault

router = APIRouter(prefix="/v1/feedback", tags=["feedback"])

_NO_STORE = {"Cache-Control": "no-store"}
_RETRY_S = 5
_EXAMPLE = {
    "events": [
        {
            "event_id": "8d0f6c1e",
            "query_id": "0f6cb6f4c1f04e2c9a3d2b1e5a7c8d90",
            "type": "click",
            "doc_id": "ocean-phd",
            "rank": 1,
        }
    ]
}
_CONTRADICTED = ProblemFault(
    pointer="/event_id", code="contradicted", message="was sent before with other content, which stays"
)


def _sender(asked: Asked) -> Exchange:
    """The exchange of a caller who may send feedback. Raises Forbidden before anything of the body is read."""
    settings = asked.runtime.settings
    if not settings.feedback:
        raise Forbidden("This service keeps no feedback: SCHOLARSEARCH_FEEDBACK is false.")
    if not settings.feedback_open and not asked.is_feeder:
        raise Forbidden("Feedback needs its key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`.")
    return asked


def _admin(asked: Asked) -> Exchange:
    """The exchange of an administrator. Raises Forbidden before anything of the body is read."""
    if not asked.is_admin:
        raise Forbidden("Erasing needs the admin key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`.")
    return asked


Sender = Annotated[Exchange, Depends(_sender)]
Admin = Annotated[Exchange, Depends(_admin)]


@router.post(
    "",
    summary="Say what became of answers",
    status_code=202,
    response_model=FeedbackAnswer,
    responses={
        **refusals(MalformedJson, Forbidden, BodyTooLarge, UnsupportedMediaType),
        **refusals(InvalidRequest, Overloaded, NotReady, StoreDown),
    },
    dependencies=[CleanQuery],
    openapi_extra=json_body(FeedbackBody, _EXAMPLE),
)
async def receive(sender: Sender, body: Annotated[FeedbackBody, Depends(body_of(FeedbackBody))]) -> Response:
    """Clicks, stays, applications. Sending an event twice is harmless; one of a known id and other content is refused.

    Events of answers or hits that were never shown are kept and not counted.
    """
    runtime = sender.runtime
    feedback = _feedback(sender)
    events = [one.event() for one in body.events]
    if not sender.is_feeder and (wait_s := feedback.allowance.take(sender.address, len(events))):
        raise Overloaded("So much feedback from one address needs the key.", "feedback-rate", wait_s)
    received_s = runtime.now().timestamp()
    try:
        statuses = await runtime.feedbacks.run(lambda _: feedback.desk.receive(events, received_s))
    except SpoolError as error:
        raise StoreDown(
            "Feedback cannot be kept now; nothing is promised, sending all of it again is harmless.",
            retry_after_s=_RETRY_S,
        ) from error
    runtime.telemetry.feedback.received(statuses)
    items = [_told(index, *pair) for index, pair in enumerate(zip(events, statuses, strict=True))]
    answer = FeedbackAnswer(counts=dict(Counter(item.status for item in items)), items=items)
    return Response(answer.model_dump_json(), 202, media_type="application/json", headers=_NO_STORE)


@router.post(
    ":erase",
    summary="Delete what was kept of one person",
    response_model=Erased,
    responses=refusals(
        *(MalformedJson, Forbidden, BodyTooLarge, UnsupportedMediaType, InvalidRequest),
        *(Overloaded, NotReady, StoreDown),
    ),
    dependencies=[CleanQuery],
    openapi_extra=json_body(EraseBody, {"unit_id": "user-1"}),
)
async def forget(asked: Admin, body: Annotated[EraseBody, Depends(body_of(EraseBody))]) -> Response:
    """Administrators only. What is still on its way to the store is not kept either."""
    runtime, feedback = asked.runtime, _feedback(asked)
    unit = feedback.pseudonyms.of(body.unit_id) or ""
    at = runtime.now()
    try:
        gone = await runtime.writes.run(lambda _: erase(feedback.store(), unit, at))
    except StoreError as error:
        raise StoreDown("Nothing was erased: the store failed.", retry_after_s=_RETRY_S) from error
    answer = Erased(searches=gone.searches, events=gone.events)
    return Response(answer.model_dump_json(), media_type="application/json", headers=_NO_STORE)


def _feedback(asked: Exchange) -> Feedback:
    feedback = asked.runtime.feedback
    if feedback is None:
        raise NotReady(("feedback is not kept by this process",))
    return feedback


def _told(index: int, event: Event, status: Status) -> FeedbackItem:
    if status == "contradicted":
        return FeedbackItem(index=index, event_id=event.event_id, status="refused", errors=[_CONTRADICTED])
    return FeedbackItem(index=index, event_id=event.event_id, status=status)
