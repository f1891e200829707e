"""The HTTP face over the shipped fake: no weights, no files, a frozen clock."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.answerer import Answerer
from app.fake import open_fake
from app.main import OpenFeedback, create_app
from app.settings import Settings

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

OpenAnswerer = Callable[[Settings], Answerer]
MakeClient = Callable[..., TestClient]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the machine that runs the tests must not reach them."""
    for name in [name for name in os.environ if name.startswith("SCHOLARSEARCH_")]:
        monkeypatch.delenv(name)


def fake_app(
    open_answerer: OpenAnswerer = open_fake, open_feedback: OpenFeedback | None = None, **settings: Any
) -> FastAPI:
    made = Settings(**{"search_threads": 2, **settings})
    return create_app(made, open_answerer, now=lambda: NOW, open_feedback=open_feedback)


def when_ready(client: TestClient) -> TestClient:
    """The client, once the fake is open: it is opened on a thread after the start."""
    for _ in range(2000):
        if client.get("/readyz").status_code == 200:
            return client
    raise AssertionError(client.get("/readyz").text)


@pytest.fixture
def make_client() -> Iterator[MakeClient]:
    """A started client over any engine and settings; server errors come back as answers."""
    with ExitStack() as stack:

        def make(
            open_answerer: OpenAnswerer = open_fake, *, ready: bool = True, **settings: Any
        ) -> TestClient:
            app = fake_app(open_answerer, **settings)
            client = stack.enter_context(TestClient(app, raise_server_exceptions=False))
            return when_ready(client) if ready else client

        yield make


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """One started client for a module's reading tests."""
    patch = pytest.MonkeyPatch()
    for name in [name for name in os.environ if name.startswith("SCHOLARSEARCH_")]:
        patch.delenv(name)
    with TestClient(fake_app(), raise_server_exceptions=False) as started:
        yield when_ready(started)
    patch.undo()


@dataclass
class Answer:
    """What an application sent."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class Caller:
    """One request, driven by hand: the body comes in the pieces given, and the caller may hang up."""

    def __init__(
        self, app: FastAPI, method: str, path: str, body: tuple[bytes, ...] = (b"",), **headers: str
    ) -> None:
        self.gone = asyncio.Event()
        self.answer = Answer()
        self._app = app
        self._pieces = list(body)
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }

    async def call(self) -> Answer:
        await self._app(self._scope, self._receive, self._send)  # type: ignore[arg-type]
        return self.answer

    async def _receive(self) -> dict[str, Any]:
        if self._pieces:
            piece = self._pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.answer.status = message["status"]
            self.answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.answer.body += message.get("body", b"")


async def ready_app(app: FastAPI) -> None:
    """Returns once the started app's engine is open."""
    while not app.state.runtime.engine.is_open:  # noqa: ASYNC110 - it has no event to wait for, and needs none
        await asyncio.sleep(0)
