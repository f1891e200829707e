"""The page of experiments over a real report: a log in a real store, read by the service itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from app.experiments.spec import Arm, Experiment
from app.fake import FakeAnswerer
from app.main import keep_feedback
from app.settings import Settings
from app.store import open_store
from evaluation.online.page import report_page
from evaluation.online.simulation import World
from index.document import Document

from .conftest import served
from .simulated_log import write_log

pytestmark = pytest.mark.browser

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
BEGUN = NOW - timedelta(days=14)
OpenPage = Callable[..., Page]


@pytest.fixture
def site(twelve: tuple[Document, ...], tmp_path: Path) -> Iterator[str]:
    """A service with one experiment that gained, and one whose split is off."""
    settings = Settings(home=tmp_path, experiment_watch_s=None, canary_minutes=None)
    answerer = FakeAnswerer(documents=twelve)
    store = open_store(settings)
    for key, shares in (("gained", (0.5, 0.5)), ("askew", (0.42, 0.58))):
        arms = (Arm("control", 50.0), Arm("deep", 50.0))
        version = answerer.experiments.put(Experiment(key, arms, key, key), lambda _: True, BEGUN)
        write_log(store, version, World(3_000, lift=0.15, shares=shares), BEGUN, seed=7)
    store.close()
    with served(twelve, NOW, settings, answerer, open_feedback=keep_feedback) as address:
        yield address


def reported(site: str, key: str) -> dict[str, Any]:
    with urlopen(f"{site}/v1/experiments/{key}/report") as answer:  # noqa: S310 - our own server
        found: dict[str, Any] = json.load(answer)
        return found


def shown(open_page: OpenPage, key: str) -> Page:
    page = open_page(f"/experiments?key={key}")
    expect(page.locator("#shown")).to_have_attribute("aria-busy", "false")
    page.wait_for_load_state("networkidle")
    return page


def test_the_page_says_what_the_report_says(open_page: OpenPage, site: str) -> None:
    page = shown(open_page, "gained")
    report = reported(site, "gained")
    assert report["verdict"]["kind"] == "better"
    expect(page.locator(".verdict")).to_contain_text("deep is better")
    expect(page.locator(".verdict")).to_contain_text(report["verdict"]["sentence"])
    text = page.locator("main").inner_text()
    for arm in report["arms"]:
        assert f"{arm['units']:,}" in text
    assert "Split as planned" in text


def test_a_split_that_is_off_is_said_before_any_gain(open_page: OpenPage, site: str) -> None:
    page = shown(open_page, "askew")
    assert reported(site, "askew")["verdict"]["kind"] == "blocked"
    expect(page.locator(".verdict")).to_contain_text("not chance")
    assert "deep is better" not in page.locator("main").inner_text()


def test_the_written_page_stands_alone_and_fits_a_phone(browser: Browser, site: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report_page(reported(site, "gained")), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 800})
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    assert requests == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator("svg").count() >= 3
    page.close()
