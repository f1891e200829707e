"""An estimate on a card: beside the stated facts, in both languages, and never instead of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def closed_with(estimate: dict[str, Any] | None) -> Callable[[Page], None]:
    """Every answer's first hit is closed since last December, and carries `estimate`."""

    def patched(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        hit = told["hits"][0]
        hit |= {"availability": "closed", "days_left": None, "estimate": estimate}
        hit["window"] |= {"opens_on": None, "deadline_on": "2025-12-02", "expected_on": None}
        route.fulfill(response=answer, json=told)

    return lambda page: page.route("**/v1/search", patched)


FROM_PAST = {
    "opens_on": None,
    "deadline_on": "2026-12-02",
    "basis": "closed on 2 Dec in 2023, 2024 and 2025",
    "years": [2023, 2024, 2025],
}


@pytest.mark.parametrize(
    ("locale", "stated", "said"),
    [
        ("en-GB", "2 Dec 2025", "expected around 2 Dec 2026 (estimate from 2023–2025)"),
        ("zh-CN", "2025年12月2日", "预计 2026年12月2日 前后（据 2023–2025 年估计）"),
    ],
)
def test_the_card_says_the_fact_and_under_it_the_estimate(
    open_page: OpenPage, locale: str, stated: str, said: str
) -> None:
    page = open_page("/?q=ocean", prepare=closed_with(FROM_PAST), locale=locale)
    rail = page.locator(".card").first.locator(".rail")
    expect(rail.locator(".dates")).to_contain_text(stated)
    expect(rail.locator(".dates")).not_to_contain_text("2026")
    expect(rail.locator(".estimate")).to_have_text(said)
    expect(rail.locator(".estimate")).to_have_attribute("title", FROM_PAST["basis"])


def test_without_an_estimate_nothing_is_said(open_page: OpenPage) -> None:
    page = open_page("/?q=ocean", prepare=closed_with(None))
    expect(page.locator(".card").first).to_have_attribute("data-state", "closed")
    expect(page.locator(".estimate")).to_have_count(0)
