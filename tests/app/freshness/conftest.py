"""A web site on this machine that does what sites do: redirects, forbids, drips, hangs up, and remembers who came."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from app.freshness.look import Looker
from app.freshness.pace import Pace
from app.freshness.visit import Limits, Visitor

Page = Callable[["Handler"], None]


@dataclass
class Site:
    """Pages by path, and every request in the order of coming as (method, path, headers, at)."""

    address: str = ""
    pages: dict[str, Page] = field(default_factory=dict)
    requests: list[tuple[str, str, dict[str, str], float]] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"{self.address}{path}"

    def asked(self, path: str) -> list[str]:
        """The methods by which a path was asked for."""
        return [method for method, asked, _, _ in self.requests if asked == path]


class Handler(BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.site.requests.append((self.command, self.path, dict(self.headers.items()), time.monotonic()))
        self.site.pages.get(self.path, answer(404))(self)

    do_HEAD = do_GET  # noqa: N815 - the server looks methods up by this name

    def log_message(self, *_: object) -> None:
        return

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.close_connection = True


def answer(status: int = 200, body: str = "<p>An award</p>", **headers: str) -> Page:
    """A page that always answers alike."""
    kind = {"Content_Type": "text/html; charset=utf-8", **headers}
    return lambda handler: handler.reply(status, body.encode(), **kind)


@pytest.fixture
def site() -> Iterator[Site]:
    """A site with an empty robots.txt."""
    site = Site(pages={"/robots.txt": answer(404)})
    handler = type("SiteHandler", (Handler,), {"site": site})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    site.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


MakeLooker = Callable[..., Looker]


@pytest.fixture
def make_looker() -> MakeLooker:
    """A looker in a hurry that gives up soon; unless told otherwise it may visit this machine."""

    def made(*, allow_private: bool = True, total_s: float = 5.0, interval_s: float = 0.0) -> Looker:
        limits = Limits(wait_s=2.0, total_s=total_s, body_bytes=4096)
        visitor = Visitor("ScholarSearch/test", limits, allow_private)
        return Looker(visitor, Pace(interval_s, time.monotonic, time.sleep))

    return made


@pytest.fixture
def looker(make_looker: MakeLooker) -> Looker:
    return make_looker()
