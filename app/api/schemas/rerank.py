"""The shapes of `POST /v1/rerank`; the field names are those that rerank clients already send."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .search_answer import Answer
from .search_request import Request
from .vocabulary import AsOf, Identifier, QueryText, TimeZone

MOST_DOCUMENTS = 200

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Windows = Annotated[list[dict[str, Any]], Field(max_length=50, description="As in a record.")]


class OfferedDocument(Request):
    """A text with an id of the caller's, and when one may apply, if that is known."""

    id: Identifier | None = None
    text: Text
    windows: Windows = Field(default_factory=list)


class RerankRequest(Request):
    """What to rank. Documents are texts, or objects with a text; windows let the time gate speak."""

    query: Annotated[QueryText, Field(min_length=1)]
    documents: Annotated[list[Text | OfferedDocument], Field(min_length=1, max_length=MOST_DOCUMENTS)]
    top_n: Annotated[int, Field(ge=1, le=MOST_DOCUMENTS)] | None = None
    return_documents: bool = False
    as_of: AsOf | None = None
    timezone: TimeZone = "UTC"
    model: Annotated[
        Literal["default"] | None, Field(description="Only the served one: leave it out, or say `default`.")
    ] = None


class RerankResult(Answer):
    """One document: its place in the request, and the chance that it is useful, by the model's own calibration."""

    index: int
    relevance_score: float | None
    truncated: bool
    document: dict[str, Any] | None = None


class RerankServed(Answer):
    """What ranked."""

    model: str
    fingerprint: str
    gated: bool
    precision: str | None = None
    pairs: int


class RerankAnswer(Answer):
    """Documents, best first."""

    request_id: str
    results: list[RerankResult]
    served: RerankServed
    timings_ms: dict[str, float]
