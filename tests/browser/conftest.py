"""A real Chromium on the real application over the shipped fake engine: twelve awards and a hostile one.

Every page is watched: an error in its console, a refused resource or a request elsewhere fails the test.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from app.fake import FakeAnswerer
from app.main import create_app
from app.settings import Settings
from index.document import Document

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
HOSTILE = Document(
    doc_id="z-hostile",
    title='<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> Prize',
    provider="<b onmouseover=window.hacked=1>Bold</b> & Sons",
    description="<svg onload=window.hacked=1></svg> 🎓🎓 a text with markup",
    fields=("<u>field</u>",),
    url="javascript:window.hacked=1",
    source="invented",
)


@dataclass
class Watch:
    """What a page did that it should not have; `refusals` is set by a test that provokes failing answers."""

    site: str
    faults: list[str] = field(default_factory=list)
    refusals: bool = False

    def listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if not (self.refusals and message.text.startswith("Failed to load resource")):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.site, "data:", "blob:")):
            self.faults.append(f"request: {request.url}")


@contextmanager
def served(
    documents: tuple[Document, ...],
    now: datetime,
    settings: Settings | None = None,
    answerer: FakeAnswerer | None = None,
    **parts: Any,
) -> Iterator[str]:
    """The address of the application, running on a thread on a free port of this machine."""
    fake = answerer or FakeAnswerer(documents=documents)
    app = create_app(settings or Settings(), lambda _: fake, now=lambda: now, **parts)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def settled(page: Page) -> Page:
    """The page, once its list is there and no further request is under way: a slow machine may draw it twice."""
    page.wait_for_load_state("networkidle")
    expect(page.locator("#found")).to_have_attribute("aria-busy", "false")
    return page


@pytest.fixture(scope="session")
def site(twelve: tuple[Document, ...]) -> Iterator[str]:
    with served((*twelve, HOSTILE), datetime.fromisoformat("2026-10-01T12:00:00+00:00")) as address:
        yield address


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def watch(site: str) -> Watch:
    return Watch(site)


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, site: str, watch: Watch) -> Iterator[OpenPage]:
    """A function that opens an address in a profile of its own: `open_page("/?q=phd", width=320)`."""
    contexts = []

    def opened(
        address: str = "/",
        width: int = 1280,
        height: int = 900,
        prepare: Callable[[Page], None] | None = None,
        **options: Any,
    ) -> Page:
        context = browser.new_context(
            **{"locale": "en-GB", "timezone_id": "Asia/Kolkata", "reduced_motion": "reduce", **options},
            viewport={"width": width, "height": height},
            base_url=site,
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        watch.listen(page)
        if prepare is not None:
            prepare(page)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")  # an answer still on its way has nobody left to reach
        context.close()
    assert watch.faults == []
