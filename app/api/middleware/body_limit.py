"""No body longer than the limit is read, whether its length was announced or not."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import BodyTooLarge

# More digits than any limit has: to read a number of a million of them would be work for nothing.
_DIGITS = 15


class BodyLimit:
    """Raises BodyTooLarge to whoever reads a body over the limit: at once when its length was announced.

    longer: paths that have a limit of their own.
    """

    def __init__(self, app: ASGIApp, limit_bytes: int, longer: Mapping[str, int] | None = None) -> None:
        self.app = app
        self.limit_bytes = limit_bytes
        self.longer = longer or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit_bytes = self.longer.get(scope["path"], self.limit_bytes)
        refused = _is_announced_too_long(Headers(scope=scope).get("content-length", ""), limit_bytes)
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message: Message = {} if refused else await receive()
            received += len(message.get("body", b""))
            if refused or received > limit_bytes:
                raise BodyTooLarge(f"A body may have at most {limit_bytes} bytes.")
            return message

        await self.app(scope, receive_counted, send)


def _is_announced_too_long(length: str, limit_bytes: int) -> bool:
    if not (length.isascii() and length.isdigit()):
        return False
    return len(length) > _DIGITS or int(length) > limit_bytes
