"""Who this request is: a request id (the caller's, when it is sane) and a place in the caller's trace."""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observation import Observation, attach
from app.traceparent import continue_trace

_SANE = re.compile(r"[A-Za-z0-9._-]{1,128}")


class Correlation:
    """Attaches the request's Observation and answers with `X-Request-Id` and `traceresponse`."""

    def __init__(self, app: ASGIApp, mint: Callable[[int], str]) -> None:
        self.app = app
        self.mint = mint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        trace = continue_trace(headers.get("traceparent"), self.mint)
        request_id = given if _SANE.fullmatch(given) else self.mint(16)
        attach(scope, Observation(request_id, trace.trace_id, trace.span_id, trace.flags))

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer["X-Request-Id"] = request_id
                answer["traceresponse"] = trace.header()
            await send(message)

        await self.app(scope, receive, send_named)
