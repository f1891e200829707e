"""What one request leaves behind for the edge: who it is, how long each stage took, what went less well.

Handlers fill it in; one place (`app.api.middleware`) turns it into headers, metrics and a log line.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Observation:
    """The trail of one request. Holds no text of the query and nothing of the asker's profile.

    trace_id: 32 hex digits, the caller's when it sent a `traceparent`; span_id: 16, ours.
    timings_ms: stage → milliseconds. degraded: (stage, reason) pairs. rejected: why the door was closed.
    private: the request carried a profile, so nothing on the way may keep the answer.
    """

    request_id: str
    trace_id: str
    span_id: str
    trace_flags: str = "01"
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    degraded: tuple[tuple[str, str], ...] = ()
    rejected: str | None = None
    private: bool = False


def observation_of(scope: MutableMapping[str, Any]) -> Observation:
    """The trail of the request that this ASGI scope belongs to."""
    found = scope["state"]["observation"]
    if not isinstance(found, Observation):
        raise TypeError("the correlation middleware has not run")
    return found


def attach(scope: MutableMapping[str, Any], observation: Observation) -> None:
    """Nothing; the scope carries the observation from here on."""
    scope.setdefault("state", {})["observation"] = observation
