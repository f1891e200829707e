"""Events as they are sent, and what became of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from app.feedback.event import OF_A_HIT, Event, EventType
from app.instant import parse_instant

from .lookup import ProblemFault
from .search_answer import Answer
from .search_request import Request
from .vocabulary import Identifier, refuse

MOST_EVENTS = 200
_DAY_MS = 86_400_000


def _moment(text: str) -> str:
    try:
        parse_instant(text)
        stated = datetime.fromisoformat(text.upper()).tzinfo is not None
    except ValueError as error:
        raise refuse("invalid", str(error)) from error
    if not stated:
        raise refuse("invalid", "must be an instant with its offset, such as 2026-05-01T09:30:00+02:00")
    return text


class FeedbackEvent(Request):
    """What somebody did with one answer, or with one hit of it."""

    event_id: Annotated[Identifier, Field(description="Yours to make; sending an event twice is harmless.")]
    query_id: Annotated[Identifier, Field(description="Of the answer.")]
    type: EventType
    doc_id: (
        Annotated[Identifier, Field(description="The hit's `id`; needed but for `impression` and `refine`.")]
        | None
    ) = None
    rank: Annotated[int, Field(ge=1, le=10_000, description="Where the hit was seen, from 1.")] | None = None
    dwell_ms: (
        Annotated[
            int, Field(ge=0, le=_DAY_MS, description="How long the stay was; only and always of a `dwell`.")
        ]
        | None
    ) = None
    at: (
        Annotated[
            str,
            AfterValidator(_moment),
            Field(max_length=40, description="When it happened, with offset. Default: when it is received."),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.type in OF_A_HIT and self.doc_id is None:
            raise refuse("required", f"a {self.type} needs a doc_id")
        if self.type == "dwell" and self.dwell_ms is None:
            raise refuse("required", "a dwell needs dwell_ms; a stay that has not ended is not sent")
        if self.type != "dwell" and self.dwell_ms is not None:
            raise refuse("not-allowed", f"a {self.type} has no dwell_ms")
        if self.rank is not None and self.doc_id is None:
            raise refuse("required", "a rank needs a doc_id")
        return self

    def event(self) -> Event:
        """The event as it is kept."""
        at_s = None if self.at is None else parse_instant(self.at).timestamp()
        return Event(self.event_id, self.query_id, self.type, self.doc_id, self.rank, self.dwell_ms, at_s)


class FeedbackBody(Request):
    """Some events, in any order."""

    events: Annotated[list[FeedbackEvent], Field(min_length=1, max_length=MOST_EVENTS)]


class FeedbackItem(Answer):
    """What became of one event: `index` is its place in the body, from 0."""

    index: int
    event_id: str
    status: Literal["accepted", "known", "refused"]
    errors: list[ProblemFault] = Field(default_factory=list, description="Why it was refused.")


class FeedbackAnswer(Answer):
    """Events accepted or known are on the disk."""

    counts: dict[str, int] = Field(description="How many events have which status.")
    items: list[FeedbackItem]


class EraseBody(Request):
    """Whose searches and events are to be deleted."""

    unit_id: Annotated[Identifier, Field(description="The `unit_id` or `session_id` they were sent with.")]


class Erased(Answer):
    """How much is gone."""

    searches: int
    events: int
