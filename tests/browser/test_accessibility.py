"""No violation that axe can find, in any state of the page, in light, dark and Chinese; and what axe cannot see."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from .conftest import settled

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]

VARIANTS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "chinese": {"color_scheme": "light", "locale": "zh-CN"},
    "phone": {"color_scheme": "light", "width": 320, "height": 640},
}


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {[node['html'] for node in rule['nodes']][:3]}" for rule in found]


def landing(open_page: OpenPage, **options: Any) -> Page:
    page = open_page("/", **options)
    expect(page.locator("#examples li").first).to_be_visible()
    return page


def suggestions(open_page: OpenPage, **options: Any) -> Page:
    page = open_page("/", **options)
    page.locator("#q").press_sequentially("ocean")
    expect(page.locator("#suggestions li").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    return page


def results(open_page: OpenPage, **options: Any) -> Page:
    def enrich(route: Route) -> None:
        """What the fake engine does not give: marks, names, read filters, a second leg, a fallen stage."""
        answer = route.fetch()
        body = answer.json()
        body["query"] |= {
            "aliases": ["Ocean Futures"],
            "parsed_filters": [{"field": "levels", "value": "phd"}],
        }
        body["degraded"] = [{"stage": "dense", "reason": "budget"}]
        body["timings_ms"] = {"parse": 1.5, "lexical": 3, "dense": 9, "alias": 1, "fuse": 0.4, "total": 12}
        for hit in body["hits"]:
            hit["highlights"] = {
                "title": [[0, 3]],
                "passage": {"text": "A passage of the text.", "spans": [[2, 9]]},
            }
        route.fulfill(response=answer, json=body)

    page = open_page(
        "/?q=&language=en&language=de&language=fr&language=zh&language=es&language=ko#nationality=KZ",
        prepare=lambda page: page.route("**/v1/search", enrich),
        **options,
    )
    expect(page.locator(".card").first).to_be_visible()
    return settled(page)


def unfolded(open_page: OpenPage, **options: Any) -> Page:
    page = results(open_page, **options)
    if page.locator("#show-filters").is_visible():
        page.locator("#show-filters").click()
    page.evaluate("document.querySelectorAll('#panel details').forEach(fold => { fold.open = true; })")
    page.locator("#timings summary").click()
    for fold in ("record", "why"):
        page.locator(f".card .{fold} summary").first.click()
    expect(page.locator(".record table").first).to_be_visible()
    return page


def nothing_found(open_page: OpenPage, **options: Any) -> Page:
    page = open_page("/?q=ocean&country=NO&level=postdoc&unknown=exclude", **options)
    expect(page.locator(".offers button").first).to_be_visible()
    return page


def refused(open_page: OpenPage, **options: Any) -> Page:
    body = {
        "title": "Too many searches at once",
        "detail": "Come back later.",
        "request_id": "request-7",
        "errors": [{"pointer": "/filters/deadline", "code": "x", "message": "not a day"}],
    }
    answer = {
        "status": 429,
        "headers": {"Content-Type": "application/problem+json", "Retry-After": "30"},
        "body": json.dumps(body),
    }
    page = open_page(
        "/?q=x",
        prepare=lambda page: page.route("**/v1/search", lambda route: route.fulfill(**answer)),
        **options,
    )
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def loading(open_page: OpenPage, **options: Any) -> Page:
    page = open_page("/?q=x", prepare=lambda page: page.route("**/v1/search", lambda route: None), **options)
    expect(page.locator(".waiting").first).to_be_visible()
    return page


STATES = (landing, suggestions, results, unfolded, nothing_found, refused, loading)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing_and_nothing_overflows(
    open_page: OpenPage, watch: Any, state: Callable[..., Page], variant: str
) -> None:
    watch.refusals = state is refused
    page = state(open_page, **VARIANTS[variant])
    assert violations(page) == []
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), "the page scrolls sideways"
    page.unroute_all(behavior="ignoreErrors")


def test_axe_would_find_something(open_page: OpenPage) -> None:
    page = landing(open_page)
    page.evaluate("document.querySelector('.hero p').style.color = '#cccccc'")
    page.evaluate("document.querySelector('#nationality').id = 'lost'")
    assert {line.split(":")[0] for line in violations(page)} == {"color-contrast", "select-name"}


def test_every_control_can_be_reached_and_seen_by_keyboard(open_page: OpenPage) -> None:
    page = results(open_page)
    reached = set()
    for _ in range(45):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.id || document.activeElement.textContent.trim().slice(0, 20)"
            )
        )
        outline = page.evaluate(
            "(() => { const style = getComputedStyle(document.activeElement);"
            " const box = getComputedStyle(document.activeElement.parentElement);"
            " return style.outlineStyle !== 'none' || box.boxShadow !== 'none'; })()"
        )
        assert outline, page.evaluate("document.activeElement.outerHTML")
    assert {"q", "nationality", "theme", "choose-availability-open", "find-host_countries"} <= reached


def test_availability_is_told_apart_without_colour(open_page: OpenPage) -> None:
    page = results(open_page)
    states = page.locator(".card .state")
    seen = {
        state.inner_text(): state.locator("svg").evaluate("sign => sign.innerHTML") for state in states.all()
    }
    assert len(seen) >= 4
    assert len(set(seen.values())) == len(seen), "two availabilities share a shape"


def test_nothing_moves_for_who_asked_for_stillness(open_page: OpenPage) -> None:
    page = loading(open_page, reduced_motion="reduce")
    moving = page.evaluate("document.getAnimations().length")
    assert moving == 0
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("width", [320, 360, 768, 1024])
@pytest.mark.parametrize("address", ["/", "/?q=", "/?q=prize", "/?q=zzqx"])
def test_no_width_makes_the_page_scroll_sideways(open_page: OpenPage, width: int, address: str) -> None:
    page = open_page(address, width=width, height=700)
    if address != "/":
        expect(page.locator("#found")).to_have_attribute("aria-busy", "false")
        expect(page.locator("#results")).to_contain_text("result")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_the_filters_open_and_lead_back(open_page: OpenPage) -> None:
    page = open_page("/?q=", width=360, height=700)
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator("#panel")).to_be_hidden()
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("checkbox", name="PhD").check()
    expect(page.get_by_role("button", name="Filters · 1 in force")).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="Show the results").click()
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("#results")).to_be_focused()


def test_on_paper_there_is_the_answer_and_nothing_to_press(open_page: OpenPage) -> None:
    page = open_page("/?q=ocean", color_scheme="dark", reduced_motion="no-preference")
    expect(page.locator(".card")).to_have_count(2)
    page.emulate_media(media="print")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.locator(".card").first).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    ink = page.evaluate("getComputedStyle(document.querySelector('.card dd')).color")
    assert max(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(",")) < 100
