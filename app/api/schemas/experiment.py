"""Experiments as they are sent and shown."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat

from app.call import Priority
from app.experiments.bucket import BUCKETS
from app.experiments.spec import PER_CENT
from app.instant import parse_instant

from .search_request import Request
from .vocabulary import Country, Identifier, Language, refuse

_MOST_ARMS = 10
_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"


def _instant(text: str) -> str:
    try:
        parse_instant(text)
    except ValueError as error:
        raise refuse("invalid", str(error)) from error
    return text


def _hundredths(share: float) -> float:
    if abs(share * PER_CENT - round(share * PER_CENT)) > 1e-6:
        raise refuse("out-of-range", "must be a multiple of 0.01: there are 10,000 buckets")
    return share


Name = Annotated[str, Field(min_length=1, max_length=64, pattern=_NAME)]
Primary = Literal[
    "click_mrr@5",
    "ctr@1",
    "ctr@5",
    "zero_click",
    "zero_result",
    "refined",
    "dwell_ms",
    "applied",
    "degraded",
    "latency_ms",
]
GuardrailName = Literal["latency_p95_ms", "error", "zero_result"]
Instant = Annotated[str, AfterValidator(_instant)]
Share = Annotated[FiniteFloat, Field(ge=0, le=100), AfterValidator(_hundredths)]


class ArmBody(Request):
    """One arm: the default system, or a named one, with some settings of its plan changed by name."""

    name: Name
    weight: Annotated[
        Share, Field(description="Per cent of those who take part; all arms together make 100.")
    ]
    system: Identifier | None = None
    overrides: Annotated[dict[Identifier, str | bool | int | FiniteFloat | None], Field(max_length=20)] = (
        Field(default_factory=dict)
    )


class TargetingBody(Request):
    """Whose searches take part. An empty list asks for nothing."""

    langs: Annotated[
        list[Language], Field(max_length=50, description="Of the request's `lang`; without it, none fits.")
    ] = Field(default_factory=list)
    host_countries: Annotated[list[Country], Field(max_length=250)] = Field(default_factory=list)
    priorities: Annotated[list[Priority], Field(max_length=3)] = Field(default_factory=list)


class ExperimentBody(Request):
    """One experiment. The first arm is the control."""

    arms: Annotated[list[ArmBody], Field(min_length=1, max_length=_MOST_ARMS)]
    description: Annotated[str, Field(max_length=2000)] = ""
    layer: Annotated[
        Name | None, Field(description="Experiments of one layer share no unit. Default: a layer of its own.")
    ] = None
    slot: Annotated[
        list[Annotated[int, Field(ge=0, le=BUCKETS)]],
        Field(
            min_length=2, max_length=2, description="Its buckets of the layer: first, and one past the last."
        ),
    ] = Field(default_factory=lambda: [0, BUCKETS])
    coverage: (
        Annotated[
            Share,
            Field(
                description="Per cent of all units that take part, from the slot's start. Default: all of it."
            ),
        ]
        | None
    ) = None
    unit: Literal["user", "session", "cookie"] = "user"
    salt: Annotated[Name | None, Field(description="Splits the units. Default: the key.")] = None
    targeting: TargetingBody = TargetingBody()
    starts_at: Instant | None = None
    stops_at: Instant | None = None
    primary: Annotated[Primary, Field(description="The metric that decides.")] = "click_mrr@5"
    effect: (
        Annotated[
            FiniteFloat,
            Field(gt=0, description="The least difference in it that matters. Default: the catalogue's."),
        ]
        | None
    ) = None
    guardrails: Annotated[
        dict[GuardrailName, Annotated[FiniteFloat, Field(ge=0)] | None],
        Field(
            description="Harm beyond control's that is tolerated, where it differs from the standing tolerance; "
            "null: not watched."
        ),
    ] = Field(default_factory=dict)


class ExperimentShown(BaseModel):
    """One version of an experiment as it stands."""

    model_config = ConfigDict(extra="allow")

    key: str
    version: int
    state: Literal["running", "stopped"]
    arms: list[dict[str, Any]]
    layer: str
    slot: list[int]
    coverage: float
    unit: str
    salt: str
    targeting: dict[str, Any]
    description: str
    primary: str
    effect: float | None
    guardrails: dict[str, float | None]
    starts_at: str | None
    stops_at: str | None
    created_at: str
    stopped_at: str | None
    stop_reason: str | None


class ExperimentList(BaseModel):
    """The newest version of every experiment, by key."""

    experiments: list[ExperimentShown]


class StopBody(Request):
    """Why an experiment is stopped."""

    reason: Annotated[str, Field(min_length=1, max_length=500)] = "stopped by an administrator"
