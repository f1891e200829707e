"""What became of records that were sent to be written."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from .lookup import ProblemFault
from .search_answer import Answer

_SEQUENCE = (
    "The number of the store's last change, this write included. `/v1/version` says which one searches see."
)
_SEARCHABLE = "Searches of this process see it already; if not, they will within a second."


class WriteParams(BaseModel):
    """The parameters of a write."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    wait_ms: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=1000,
        description="How long the answer may be held back until searches see the write. It is durable either way.",
    )


class Written(Answer):
    """What became of one record; it is on the disk."""

    id: str
    status: Literal["created", "updated", "unchanged", "deleted"]
    sequence: int = Field(description=_SEQUENCE)
    searchable: bool = Field(description=_SEARCHABLE)


class BulkItem(Answer):
    """What became of one item: `index` is its place in the body, from 0."""

    index: int
    id: str | None
    status: Literal["created", "updated", "unchanged", "deleted", "rejected"]
    errors: list[ProblemFault] = Field(default_factory=list, description="Why it was rejected.")


class BulkAnswer(Answer):
    """What became of every item; those not rejected are on the disk, all together."""

    sequence: int = Field(description=_SEQUENCE)
    searchable: bool = Field(description=_SEARCHABLE)
    counts: dict[str, int] = Field(description="How many items have which status.")
    items: list[BulkItem]
