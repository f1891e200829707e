"""The search answer. What is unknown is an explicit null; numbers are plain and finite.

Fields beyond these may be added by the engine and pass through: callers must ignore what they do not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat

from index.types import AvailabilityState


def _plain(value: Any) -> Any:  # noqa: ANN401 - a number of any library
    """A numpy scalar as Python's own number; anything else as it is."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value


Number = Annotated[FiniteFloat, BeforeValidator(_plain)]
Sum = Annotated[int | FiniteFloat, BeforeValidator(_plain)]
Count = Annotated[int, BeforeValidator(_plain), Field(ge=0)]


class Answer(BaseModel):
    """What every answer model has in common."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)


class UnderstoodQuery(Answer):
    """What the service made of the query."""

    raw: str
    normalised: str
    lang: str | None
    aliases: list[str]
    parsed_filters: list[Any]
    time_intent: Any | None


class Total(Answer):
    """How many programmes match; `gte` = at least that many."""

    value: Count
    relation: Literal["eq", "gte"]


class Money(Answer):
    """Money as stated; `text` keeps the source's wording."""

    min: Sum | None
    max: Sum | None
    currency: str | None
    period: str | None
    text: str | None


class ShownWindow(Answer):
    """The round that decides the availability shown. `closes_at` is the last moment, with its offset."""

    opens_on: str | None
    deadline_on: str | None
    closes_at: str | None
    zone: str | None
    kind: str
    cycle: str | None


class Expectation(Answer):
    """When the next round should close, if it goes on as the past ones did: an estimate, with what it rests on.

    `years` are those of past rounds; empty where only a day of every year is stated.
    """

    opens_on: str | None
    deadline_on: str
    basis: str
    years: list[int]


class Eligibility(Answer):
    """Whether the asker may apply, as far as both sides have said."""

    verdict: Literal["eligible", "unknown", "ineligible"]
    reasons: list[Any]


class Scores(Answer):
    """One score for each stage that saw the hit, each on its own scale; null = the stage did not."""

    bm25: Number | None = None
    dense: Number | None = None
    fused: Number | None = None
    rerank: Number | None = None


class Listing(Answer):
    """One record of a programme: its id and title, the feed it came with, and the page it names."""

    id: str
    source: str | None
    url: str | None
    title: str


class Hit(Answer):
    """One programme found. `rank` counts from 1 over all pages."""

    id: str
    rank: Annotated[int, Field(ge=1)]
    title: str
    provider: str | None
    url: str | None
    host_countries: list[str] | None
    levels: list[str] | None
    fields: list[str] | None
    amount: Money | None
    availability: AvailabilityState
    window: ShownWindow | None
    estimate: Expectation | None = None
    days_left: int | None
    eligibility: Eligibility | None
    highlights: dict[str, Any]
    scores: Scores
    matched_by: list[str]
    truncated: bool
    sources: list[Listing] | None = Field(
        default=None,
        description="The records that this programme is known from, the shown one first; null when it is the only one.",
    )
    propensity: Number | None = Field(
        default=None,
        description="With what chance this programme was to stand at this rank, where an experiment shuffles hits.",
    )
    team: Literal["a", "b"] | None = Field(
        default=None, description="Whose hit it is, where an experiment mixes the hits of two systems."
    )
    why: list[Any] | None = None


class FacetCount(Answer):
    """One value and how many of the programmes found have it; null = not stated."""

    value: str | None
    count: Count


class FacetCounts(Answer):
    """The counts of one field."""

    field: str
    counts: list[FacetCount]


class Exposure(Answer):
    """An experiment this answer belongs to. forced: a tester chose the arm, and the answer counts for nobody."""

    key: str
    version: Annotated[int, Field(ge=1)]
    variant: str
    bucket: int | None
    forced: bool


class Degradation(Answer):
    """A stage that could not do its part, and why; the order before it was served."""

    stage: str
    reason: str


class Served(Answer):
    """What answered."""

    system: str
    precision: str | None
    depth: int | None
    reranked: bool
    fingerprint: str


class SearchAnswer(Answer):
    """The hits of one page and everything needed to understand them."""

    request_id: str
    query_id: str
    query: UnderstoodQuery
    as_of: str
    total: Total
    reachable: Annotated[Count, Field(description="How many of the total can be paged to.")]
    next_cursor: str | None
    hits: list[Hit]
    facets: list[FacetCounts]
    experiments: list[Exposure]
    degraded: list[Degradation]
    served: Served
    timings_ms: dict[str, Number]
