"""The application behind the real server, over a real socket."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator

import pytest
import uvicorn

from .conftest import fake_app


@pytest.fixture
def address() -> Iterator[str]:
    app = fake_app()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not app.state.runtime.engine.is_open:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def test_the_demonstration_by_curl(address: str) -> None:
    # Like `curl -d`, urllib calls a body a form unless told otherwise.
    request = urllib.request.Request(f"{address}/v1/search", data=b'{"query":"aurora"}')  # noqa: S310
    with urllib.request.urlopen(request) as response:  # noqa: S310
        answer = json.load(response)
    assert request.get_header("Content-type") == "application/x-www-form-urlencoded"
    assert answer["hits"][0]["id"] == "aurora-doctoral"
    assert response.headers["X-Request-Id"] == answer["request_id"]


def test_health_answers_a_head(address: str) -> None:
    request = urllib.request.Request(f"{address}/healthz", method="HEAD")  # noqa: S310
    with urllib.request.urlopen(request) as response:  # noqa: S310
        assert (response.status, response.read()) == (200, b"")
