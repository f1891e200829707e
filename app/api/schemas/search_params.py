"""The search request as a query string: the everyday part of it. The rest needs `POST`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.call import Facet, Priority
from index.types import AvailabilityState, Level, UnknownPolicy

from .search_request import PageSize, SortKeys
from .vocabulary import (
    AsOf,
    Country,
    CursorText,
    Day,
    Identifier,
    Language,
    LanguageTag,
    QueryText,
    StudyField,
    TimeZone,
    Words,
)


class SearchParams(BaseModel):
    """The parameters of `GET /v1/search`. A parameter given more than once is a list of any of its values."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    q: QueryText = ""
    as_of: AsOf | None = None
    timezone: TimeZone = "UTC"
    lang: LanguageTag | None = None
    page_size: PageSize = 10
    cursor: CursorText | None = None
    country: Annotated[list[Country], Field(max_length=250)] = []
    nationality: Country | None = None
    level: Annotated[list[Level], Field(max_length=7)] = []
    field: Annotated[list[StudyField], Field(max_length=50)] = []
    provider: Words | None = None
    language: Annotated[list[Language], Field(max_length=50)] = []
    availability: Annotated[list[AvailabilityState], Field(max_length=5)] = []
    deadline_from: Day | None = None
    deadline_to: Day | None = None
    unknown: UnknownPolicy = "include"
    facet: Annotated[list[Facet], Field(max_length=7)] = []
    sort: SortKeys = []
    explain: bool = False
    priority: Priority = "realtime"
    unit_id: Identifier | None = None
    session_id: Identifier | None = None
    consent: bool = False
    system: Identifier | None = None

    def as_body(self) -> dict[str, Any]:
        """The same search as the body of `POST /v1/search`."""
        filters: dict[str, Any] = {
            "host_countries": self.country,
            "nationality": self.nationality,
            "levels": self.level,
            "fields": self.field,
            "provider": self.provider,
            "languages": self.language,
            "availability": self.availability,
            "unknown": self.unknown,
        }
        if self.deadline_from is not None or self.deadline_to is not None:
            filters["deadline"] = {"from": self.deadline_from, "to": self.deadline_to}
        same = (
            *("as_of", "timezone", "lang", "page_size", "cursor", "sort", "explain", "priority", "system"),
            *("unit_id", "session_id", "consent"),
        )
        return {
            "query": self.q,
            "filters": filters,
            "facets": self.facet,
            **{name: getattr(self, name) for name in same},
        }
