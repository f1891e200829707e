"""The states without a plain list: loading, nothing found, refused, degraded, out of date, offline."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def problem(status: int, detail: str, **headers: str) -> Callable[[Route], None]:
    """A route that answers with a problem document."""
    body = {
        "type": "about:blank",
        "title": "A problem",
        "status": status,
        "detail": detail,
        "instance": "/v1/search",
    }

    def fulfil(route: Route) -> None:
        route.fulfill(
            status=status,
            headers={"Content-Type": "application/problem+json", **headers},
            body=json.dumps({**body, "request_id": "request-7", "errors": []}),
        )

    return fulfil


def routed(handle: Callable[[Route], None]) -> Callable[[Page], None]:
    return lambda page: page.route("**/v1/search", handle)


def test_nothing_found_offers_the_one_filter_to_take_off(open_page: OpenPage) -> None:
    page = open_page("/?q=ocean&country=NO&level=postdoc&unknown=exclude")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    expect(page.locator("#results")).to_contain_text("0 results")
    offers = page.locator(".offers button")
    expect(offers).to_have_text(["without “Postdoc”: 2 results"])
    offers.click()
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator("#results")).to_be_focused()


def test_nothing_found_without_filters_gives_hints_only(open_page: OpenPage) -> None:
    page = open_page("/?q=zzqx")
    expect(page.locator(".notice")).to_contain_text("No record fits these words.")
    expect(page.locator(".offers button")).to_have_count(0)


def test_a_refused_search_names_the_field_and_the_request(open_page: OpenPage, watch: object) -> None:
    watch.refusals = True  # type: ignore[attr-defined]
    page = open_page("/?q=&deadline_from=2026-12-31&deadline_to=2026-01-01")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This search cannot be made as it stands")
    expect(alert).to_contain_text("/filters/deadline")
    expect(alert.locator(".request code")).not_to_be_empty()
    # The filters stay at hand: one of them is what has to change.
    page.get_by_role("button", name="deadline to 1 Jan 2026, take off").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".card").first).to_be_visible()


@pytest.mark.parametrize(
    ("status", "words"),
    [(429, "Too many searches at once"), (503, "not ready yet"), (500, "Something went wrong")],
)
def test_a_busy_service_says_how_long_to_wait(
    open_page: OpenPage, watch: object, status: int, words: str
) -> None:
    watch.refusals = True  # type: ignore[attr-defined]
    answers = [problem(status, "Come back later.", **{"Retry-After": "37"})]
    page = open_page(
        "/?q=ocean", prepare=routed(lambda route: answers.pop()(route) if answers else route.continue_())
    )
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(words)
    expect(alert).to_contain_text("Come back later.")
    expect(alert).to_contain_text("asks to wait 3")
    expect(alert).to_contain_text("request-7")
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator(".card")).to_have_count(2)


def test_a_service_out_of_reach_is_said_so(open_page: OpenPage, watch: object) -> None:
    watch.refusals = True  # type: ignore[attr-defined]
    page = open_page("/?q=ocean", prepare=routed(lambda route: route.abort()))
    expect(page.get_by_role("alert")).to_contain_text("The service cannot be reached")


def test_an_answer_that_is_no_json_is_a_problem_not_a_crash(open_page: OpenPage, watch: object) -> None:
    watch.refusals = True  # type: ignore[attr-defined]
    page = open_page(
        "/?q=ocean", prepare=routed(lambda route: route.fulfill(status=502, body="<html>Bad gateway"))
    )
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong on our side")


def test_a_degraded_answer_says_what_was_missing(open_page: OpenPage) -> None:
    def degrade(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["degraded"] = [{"stage": "dense", "reason": "budget"}]
        route.fulfill(response=answer, json=body)

    page = open_page("/?q=ocean", prepare=routed(degrade))
    expect(page.locator(".degraded")).to_contain_text("Meaning (vectors): ran out of time")
    expect(page.locator(".card")).to_have_count(2)


def test_an_expired_cursor_starts_the_list_again(open_page: OpenPage, watch: object) -> None:
    watch.refusals = True  # type: ignore[attr-defined]

    def expire(route: Route) -> None:
        if "cursor" in (route.request.post_data or ""):
            problem(409, "The records have been renewed.")(route)
        else:
            route.continue_()

    page = open_page("/?q=", prepare=routed(expire))
    page.get_by_role("button", name="More results").click()
    expect(page.locator(".restarted")).to_contain_text("the list starts again from the top")
    expect(page.locator(".card")).to_have_count(10)
    expect(page.locator("#results")).to_be_focused()


def test_a_failed_further_page_leaves_the_list(open_page: OpenPage, watch: object) -> None:
    watch.refusals = True  # type: ignore[attr-defined]
    failing = [True]

    def fail_once(route: Route) -> None:
        if "cursor" in (route.request.post_data or "") and failing:
            failing.clear()
            problem(500, "Broken.")(route)
        else:
            route.continue_()

    page = open_page("/?q=", prepare=routed(fail_once))
    page.get_by_role("button", name="More results").click()
    expect(page.get_by_role("alert")).to_contain_text("Broken.")
    expect(page.locator(".card")).to_have_count(10)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".card")).to_have_count(13)


def test_while_searching_the_shapes_of_cards_are_shown(open_page: OpenPage) -> None:
    held: list[Route] = []
    page = open_page("/?q=ocean", prepare=routed(lambda route: held.append(route)))
    expect(page.locator("#results")).to_have_text("Searching…")
    expect(page.locator("#found")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".waiting")).to_have_count(4)
    held.pop().continue_()
    expect(page.locator(".card:not(.waiting)")).to_have_count(2)
    expect(page.locator("#found")).to_have_attribute("aria-busy", "false")


def test_a_slow_old_answer_never_overtakes_a_new_one(open_page: OpenPage) -> None:
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if '"ocean"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page = open_page("/?q=ocean", prepare=routed(hold_first))
    expect(page.locator(".waiting").first).to_be_visible()
    page.locator("#q").fill("emergency")
    page.keyboard.press("Enter")
    expect(page.locator("#results")).to_contain_text("“emergency”")
    expect(page.get_by_role("article", name="Student Emergency Grant")).to_be_visible()
    held.pop().continue_()
    page.get_by_label("Sort").select_option("title")
    expect(page.locator("#results")).to_contain_text("“emergency”")
    expect(page.locator(".card")).to_have_count(1)
