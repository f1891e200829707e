"""The one edge where a finished request becomes a header, metrics and a line of the access log.

The line names the route's template, never the path or the query string: people's searches stay out of logs.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observation import observation_of
from app.telemetry import UNMATCHED, Telemetry, server_timing

access_log = logging.getLogger("scholarsearch.access")

CLIENT_GONE = 499
# Anybody can send any method; the log, like the metrics, keeps to a closed set.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Measurement:
    """Times the request, adds `Server-Timing`, and records it once its answer is out."""

    def __init__(
        self, app: ASGIApp, telemetry: Telemetry, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.app = app
        self.telemetry = telemetry
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on and records it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status, size = self.clock(), CLIENT_GONE, 0
        observation = observation_of(scope)

        async def send_timed(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                # The header's total is the whole request's; the answer's own ends before it is written.
                stages = {key: value for key, value in observation.timings_ms.items() if key != "total"}
                timings = {**stages, "total": (self.clock() - started) * 1000}
                MutableHeaders(scope=message)["Server-Timing"] = server_timing(timings)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, send_timed)
        finally:
            elapsed_ms = (self.clock() - started) * 1000
            route = route_of(scope)
            self.telemetry.record(route, status, elapsed_ms, observation)
            access_log.info(
                "request",
                extra={
                    "request_id": observation.request_id,
                    "trace_id": observation.trace_id,
                    "method": scope["method"] if scope["method"] in METHODS else "other",
                    "route": route,
                    "status": status,
                    "elapsed_ms": round(elapsed_ms, 3),
                    "bytes": size,
                },
            )


def route_of(scope: Scope) -> str:
    """The template of the route that took the request, or "unmatched"."""
    path = getattr(scope.get("route"), "path", None)
    return path if isinstance(path, str) else UNMATCHED
