"""One event: what somebody did with a hit, as it was sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Literal, get_args

EventType = Literal["impression", "click", "dwell", "apply", "save", "refine"]
TYPES: tuple[EventType, ...] = get_args(EventType)
OF_A_HIT = frozenset({"click", "dwell", "apply", "save"})
"""The types that say of which hit they are."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """An event. rank: from 1, as the client counts. at_s: the client's clock, seconds since 1970; None = not said."""

    event_id: str
    query_id: str
    type: str
    doc_id: str | None = None
    rank: int | None = None
    dwell_ms: int | None = None
    at_s: float | None = None

    @property
    def digest(self) -> str:
        """The same for the same content, 16 hex digits."""
        return blake2b(json.dumps(self.plain()).encode(), digest_size=8).hexdigest()

    def plain(self) -> list[Any]:
        """As JSON has it: the fields in their order."""
        return [getattr(self, name) for name in _FIELDS]


_FIELDS = tuple(Event.__slots__)


def row_of(plain: list[Any], received_s: float) -> Row:
    """The row of an event as `plain` gave it, received at that instant. Raises ValueError or TypeError."""
    event = Event(*plain)
    at = None if event.at_s is None else datetime.fromtimestamp(event.at_s, UTC)
    received_at = datetime.fromtimestamp(received_s, UTC)
    found: Row = {name: getattr(event, name) for name in _FIELDS if name != "at_s"}
    return found | {"at": at, "received_at": received_at, "digest": event.digest}
