"""Answers other than a search: one programme, completions, the state of the service, a problem."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.vitals import StoreState

from .search_answer import Answer, Money


class RecordWindow(Answer):
    """One application round as the record holds it."""

    opens_on: str | None = None
    deadline_on: str | None = None
    month_day: str | None = None
    time: str | None = None
    zone: str | None = None
    kind: str = "unknown"
    cycle: str | None = None
    text: str | None = None


class RecordRegion(Answer):
    """A region that stands where countries could, and the day whose members are meant."""

    field: str
    region: str
    on: str
    text: str | None = None


class RecordDoubt(Answer):
    """What the source says of a field and could not be read for certain, and why not."""

    field: str
    text: str | None = None
    reason: str


class Opportunity(Answer):
    """The record of one programme. What nobody stated is null."""

    id: str
    title: str
    aliases: list[str]
    provider: str | None
    description: str | None
    eligibility: str | None
    host_countries: list[str] | None
    eligible_nationalities: list[str] | None
    levels: list[str] | None
    fields: list[str] | None
    amount: Money | None
    coverage: list[str] | None
    windows: list[RecordWindow]
    programme_id: str | None
    language: str | None
    translations: dict[str, Any] | None
    url: str | None
    source: str | None
    licence: str | None
    verified_on: str | None
    updated_at: str | None
    regions: list[RecordRegion] = Field(default_factory=list)
    doubts: list[RecordDoubt] = Field(default_factory=list)


class Suggestion(Answer):
    """One completion: a programme's title or alias, a provider, or a field of study."""

    text: str
    kind: Literal["title", "alias", "provider", "field"]
    id: str | None = None


class Suggestions(Answer):
    """Completions, best first."""

    suggestions: list[Suggestion]


class Version(Answer):
    """What the service is made of: change one part and answers may change."""

    version: str
    fingerprint: str
    snapshot: str
    analyzer: str
    encoder: str
    reranker: str | None = None
    rungs: dict[str, str] = Field(default_factory=dict)
    config: str | None = None
    sequence: int | None = Field(default=None, description="The last change of the store that searches see.")
    pending_vectors: int | None = Field(
        default=None, description="Programmes that are found by their words alone so far."
    )


class Health(BaseModel):
    """The process is alive; nothing more."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """A search would be answered now. It is so while the store is down: only news stay out, and `store` says why."""

    status: Literal["ready"] = "ready"
    store: StoreState = Field(description="Whether the store can be followed.")
    since: datetime | None = Field(default=None, description="From when it could not be.")
    sequence: int = Field(description="The last change of the store that searches see.")
    lag_s: float = Field(description="For how long the store has held something that searches do not see.")
    pending_vectors: int = Field(description="Programmes that are found by their words alone so far.")


class ProblemFault(BaseModel):
    """One thing wrong with the request."""

    pointer: str = Field(
        description="JSON pointer to the field; of a query string, `/` and the parameter's name."
    )
    code: str
    message: str


class Problem(BaseModel):
    """A refusal (RFC 9457)."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="Where the kind of problem is described; ends in a stable slug.")
    title: str
    status: int
    detail: str
    instance: str
    request_id: str
    errors: list[ProblemFault]
