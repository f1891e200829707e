"""The search request. Unknown fields are refused: a mistyped filter would otherwise be silent."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    GetJsonSchemaHandler,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from app.call import Facet, Priority, Scale, SortKey
from index.types import AvailabilityState, Level, UnknownPolicy

from .vocabulary import (
    AsOf,
    Country,
    Currency,
    CursorText,
    Day,
    Identifier,
    Language,
    LanguageTag,
    QueryText,
    StudyField,
    TimeZone,
    Words,
    refuse,
)


class Request(BaseModel):
    """What every request model has in common: exact types, no unknown field, null = not given."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:  # noqa: ANN401 - whatever the caller sent
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if value is not None}
        return data

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The model's JSON schema, which says of every optional field that it may be null."""
        described = handler.resolve_ref_schema(handler(schema))
        for name, part in described["properties"].items():
            if name not in described.get("required", ()) and {"type": "null"} not in part.get("anyOf", ()):
                described["properties"][name] = {"anyOf": [part, {"type": "null"}]}
        return described


def _sorted_once(keys: list[SortKey]) -> list[SortKey]:
    names = [key.removeprefix("-") for key in keys]
    if len(set(names)) != len(names):
        raise refuse("not-allowed", "must not name the same key twice")
    return keys


def _scaled(value: Any) -> Any:  # noqa: ANN401 - whatever the caller sent
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise refuse(
            "required", 'needs a scale: {"scale": "bm25" | "dense" | "fused" | "rerank", "value": number}'
        )
    return value


SortKeys = Annotated[list[SortKey], Field(max_length=5), AfterValidator(_sorted_once)]
PageSize = Annotated[int, Field(ge=1, le=50)]


class MinAmount(Request):
    """The least amount of money that is of interest, in one currency."""

    value: Annotated[FiniteFloat, Field(ge=0, le=1e15)]
    currency: Currency


class DeadlineRange(Request):
    """Days between which the deadline lies, both included; either end may be left open."""

    from_: Annotated[Day | None, Field(alias="from")] = None
    to: Day | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        # Days written YYYY-MM-DD compare as text.
        if self.from_ is not None and self.to is not None and self.to < self.from_:
            raise refuse("out-of-range", "`to` lies before `from`")
        return self


class SearchFilters(Request):
    """Hard constraints. A list means any of its values; an empty one means the filter is not asked."""

    host_countries: Annotated[list[Country], Field(max_length=250)] = []
    nationality: Country | None = None
    levels: Annotated[list[Level], Field(max_length=7)] = []
    fields: Annotated[list[StudyField], Field(max_length=50)] = []
    provider: Words | None = None
    languages: Annotated[list[Language], Field(max_length=50)] = []
    min_amount: MinAmount | None = None
    availability: Annotated[list[AvailabilityState], Field(max_length=5)] = []
    deadline: DeadlineRange | None = None
    unknown: Annotated[
        UnknownPolicy, Field(description="What a filter does with a programme that does not state the fact.")
    ] = "include"


class AskerProfile(Request):
    """The asker, as far as they choose to say. Never logged; an answer to it is never cached."""

    nationality: Country | None = None
    residence: Country | None = None
    level: Level | None = None
    fields: Annotated[list[StudyField], Field(max_length=20)] = []
    birth_year: Annotated[int, Field(ge=1900, le=2100)] | None = None
    gender: Annotated[Words, Field(max_length=64)] | None = None
    gpa: Annotated[FiniteFloat, Field(ge=0, le=100)] | None = None


class RerankOptions(Request):
    """Whether to rerank, and how many candidates."""

    enabled: bool | None = None
    depth: Annotated[int, Field(ge=1, le=200)] | None = None


class MinScoreOption(Request):
    """The least score of a hit, on a named scale; scores of different scales cannot be compared."""

    scale: Scale
    value: FiniteFloat


class SearchRequest(Request):
    """One search."""

    query: QueryText
    as_of: AsOf | None = None
    timezone: TimeZone = "UTC"
    lang: LanguageTag | None = None
    filters: SearchFilters = SearchFilters()
    profile: AskerProfile | None = None
    facets: Annotated[list[Facet], Field(max_length=7)] = []
    sort: Annotated[
        SortKeys, Field(description='Keys in order of weight, "-" reverses. Default: relevance.')
    ] = []
    page_size: PageSize = 10
    cursor: CursorText | None = None
    rerank: RerankOptions = RerankOptions()
    budget_ms: (
        Annotated[
            FiniteFloat, Field(ge=1, le=60_000, description="Milliseconds, the wait in the queue included.")
        ]
        | None
    ) = None
    min_score: Annotated[MinScoreOption | None, BeforeValidator(_scaled)] = None
    explain: bool = False
    priority: Priority = "realtime"
    unit_id: Annotated[Identifier, Field(description="Stable id of the asker, for experiments.")] | None = (
        None
    )
    session_id: Annotated[Identifier, Field(description="Id of the asker's present visit.")] | None = None
    consent: Annotated[
        bool, Field(description="The asker agreed that words and clicks are kept for improving the search.")
    ] = False
    arms: (
        Annotated[
            dict[Identifier, Identifier],
            Field(
                max_length=20, description="Arms to try, by experiment; administrators only. Never counted."
            ),
        ]
        | None
    ) = None
    system: Annotated[Identifier | None, Field(description="Which system answers; administrators only.")] = (
        None
    )
