"""The W3C trace context of one request: read the caller's, continue it, or begin one.

https://www.w3.org/TR/trace-context/ (version 00; later versions are read by their first four fields).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


@dataclass(frozen=True, slots=True)
class TraceContext:
    """trace_id: 32 hex digits; span_id: 16, always ours; flags: 2, the caller's when it sent any."""

    trace_id: str
    span_id: str
    flags: str

    def header(self) -> str:
        """The context as a header value, for `traceresponse` and for calls further on."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


def continue_trace(traceparent: str | None, mint: Callable[[int], str]) -> TraceContext:
    """The caller's trace with a new span of ours, or a new trace when there is none that can be read.

    mint: gives n random bytes as 2n hex digits.
    """
    match = _TRACEPARENT.fullmatch(traceparent or "")
    if match:
        version, trace_id, parent_id, flags, rest = match.groups()
        zeros = set(trace_id) == {"0"} or set(parent_id) == {"0"}
        if version != "ff" and not zeros and not (version == "00" and rest):
            return TraceContext(trace_id, mint(8), flags)
    return TraceContext(mint(16), mint(8), "01")
