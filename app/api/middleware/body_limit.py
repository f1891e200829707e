"""No body longer than the limit is read, whether its length was announced or not."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import problem_response
from app.errors import BodyTooLarge, kind_of


class BodyLimit:
    """Answers 413 to an announced length over the limit, and raises BodyTooLarge once more has come in."""

    def __init__(self, app: ASGIApp, limit_bytes: int) -> None:
        self.app = app
        self.limit_bytes = limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        error = BodyTooLarge(f"A body may have at most {self.limit_bytes} bytes.")
        announced = Headers(scope=scope).get("content-length", "")
        # More digits than any limit has: int() of a million of them would be work for nothing.
        if (
            announced.isascii()
            and announced.isdigit()
            and (len(announced) > 15 or int(announced) > self.limit_bytes)
        ):
            await problem_response(scope, kind_of(error), error.detail)(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.limit_bytes:
                raise error
            return message

        await self.app(scope, receive_counted, send)
