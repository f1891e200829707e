"""The precision ladder, as it is told and as it is changed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from models.health import Health
from models.ladder import Policy, Reason
from models.precision import Waiting
from models.rung import Rung
from models.selftest import Why

from .search_answer import Answer


class PrecisionBody(BaseModel):
    """What the ladder is to do: decide for itself again, or stay on one rung."""

    model_config = ConfigDict(extra="forbid")

    mode: Literal["auto"] | None = Field(default=None, description="`auto`: the policy decides.")
    pin: Rung | None = Field(default=None, description="Serve on this rung, whatever is seen.")

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.mode is None) == (self.pin is None):
            raise ValueError('say either {"mode": "auto"} or {"pin": RUNG}')
        return self


class RungShown(Answer):
    """One rung: how it did in the self-test here, and how it agrees with the reference in service."""

    rung: Rung
    on_ladder: bool
    reason: Why
    detail: str
    usable: bool = Field(
        description="A policy may choose it now: on the ladder, not below the floor, not left."
    )
    top5_agreement: float | None
    order: float | None = Field(description="Rank correlation with the reference in the self-test.")
    ms_per_pair: float | None
    gain: float | None = Field(description="How many times as fast as the reference.")
    live_agreement: float | None
    compared: int = Field(description="Of how many searches that agreement is.")
    quarantined_until: datetime | None
    strikes: int


class SignalsShown(Answer):
    """What moved the ladder last; null = not known."""

    grad_norm: float | None
    grad_norm_std: float | None
    qps: float | None
    qps_std: float | None
    queue_delay_ms: float | None
    budget_misses: float | None
    latency_p99_ms: float | None
    temperature_c: float | None


class ShadowShown(Answer):
    """The searches that are scored on another rung too."""

    share: float
    dropped: int


class RecordShown(Answer):
    """Where the signals are written: a file in the folder `ladder` of the home."""

    file: str
    lost: int = Field(description="Lines that the disk did not take.")


class PrecisionShown(Answer):
    """The precision ladder of this process."""

    mode: Literal["auto", "pin"]
    pin: Rung | None
    policy: Policy
    floor: Rung
    rung: Rung = Field(description="The one that serves now.")
    since: datetime
    reason: Reason = Field(description="Why it came to this rung.")
    waiting: Waiting = Field(description="What keeps it there.")
    switches: int
    health: Health
    rungs: list[RungShown]
    signals: SignalsShown
    thresholds: dict[str, float]
    shadow: ShadowShown
    record: RecordShown | None
    tested_on: int = Field(
        description="Of how many of the week's queries the self-test was; 0 = the shipped ones."
    )
