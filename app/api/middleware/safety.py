"""Headers that keep browsers from guessing, framing, leaking and keeping."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observation import observation_of

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
}


class SafetyHeaders:
    """Adds what an answer does not state itself; pages send a policy of their own."""

    def __init__(self, app: ASGIApp, timing_origins: tuple[str, ...]) -> None:
        self.app = app
        self.timing_origins = timing_origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing; passes the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        origin = Headers(scope=scope).get("origin", "")

        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers.setdefault(name, value)
                if origin and (origin in self.timing_origins or "*" in self.timing_origins):
                    headers["Timing-Allow-Origin"] = origin
                if observation_of(scope).private:
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, send_safe)
