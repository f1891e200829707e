"""The last resort: an exception nobody expected becomes a 500 that says nothing of the inside."""

from __future__ import annotations

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import problem_response
from app.errors import INTERNAL
from app.observation import observation_of

log = logging.getLogger("scholarsearch")


class Shield:
    """Answers 500 and logs the traceback with the request id, so that the two can be found together."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except Exception:
            request_id = observation_of(scope).request_id
            log.exception("unexpected error", extra={"request_id": request_id})
            if started:
                raise  # half an answer is out: only the server can break the connection
            detail = f"The error has been logged. Name the request id {request_id} when you report it."
            await problem_response(scope, INTERNAL, detail)(scope, receive, send)


class HeadAsGet:
    """Serves HEAD wherever GET is served, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_headers(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app({**scope, "method": "GET"}, receive, send_headers)
