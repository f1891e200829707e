"""The question box as a combobox, by keyboard and pointer (ARIA APG, list autocomplete)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def box_with(page: Page, text: str) -> Locator:
    box = page.get_by_role("combobox", name="What are you looking for?")
    box.press_sequentially(text)
    return box


def test_the_arrow_keys_walk_and_enter_takes(open_page: OpenPage) -> None:
    page = open_page()
    box = box_with(page, "ocean")
    options = page.locator("#suggestions").get_by_role("option")
    expect(options).to_have_count(2)
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#announce")).to_have_text("2 suggestions; down arrow to choose")
    box.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert box.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    box.press("ArrowUp")
    expect(page.locator("[aria-selected=true]")).to_have_count(0)
    box.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    expect(box).to_be_focused()
    box.press("Enter")
    expect(box).to_have_value("Ocean Futures Summer School Grant")
    expect(box).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#results")).to_contain_text("“Ocean Futures Summer School Grant”")


def test_escape_closes_then_clears(open_page: OpenPage) -> None:
    page = open_page()
    box = box_with(page, "OF")
    expect(page.locator("#suggestions").get_by_role("option").first).to_be_visible()
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(box).to_have_value("OF")
    box.press("ArrowDown")
    expect(page.locator("#suggestions").get_by_role("option").first).to_be_visible()
    box.press("Escape")
    box.press("Escape")
    expect(box).to_have_value("")


def test_enter_without_a_choice_searches_for_the_words(open_page: OpenPage) -> None:
    page = open_page()
    box = box_with(page, "ocean")
    expect(page.locator("#suggestions").get_by_role("option").first).to_be_visible()
    box.press("Enter")
    expect(page.locator("#results")).to_contain_text("2 results for “ocean”")
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_a_click_takes_and_leaving_closes(open_page: OpenPage) -> None:
    page = open_page()
    box = box_with(page, "丝")
    page.get_by_role("option", name="丝路青年硕士奖学金").click()
    expect(page.locator("#results")).to_contain_text("丝路青年硕士奖学金")
    box.fill("o")
    box.press_sequentially("c")
    expect(page.locator("#suggestions").get_by_role("option").first).to_be_visible()
    box.press("Tab")
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_keys_of_an_input_method_are_left_alone(open_page: OpenPage) -> None:
    page = open_page()
    box = box_with(page, "ocean")
    expect(page.locator("#suggestions").get_by_role("option").first).to_be_visible()
    box.evaluate(
        "box => box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', isComposing: true }))"
    )
    expect(page.locator("[aria-selected=true]")).to_have_count(0)


def test_suggestions_that_fail_are_no_ones_trouble(open_page: OpenPage, watch: object) -> None:
    watch.refusals = True  # type: ignore[attr-defined]
    page = open_page(
        prepare=lambda page: page.route("**/v1/suggest**", lambda route: route.fulfill(status=500))
    )
    with page.expect_response("**/v1/suggest**"):
        box = box_with(page, "ocean")
    box.press("Enter")
    expect(page.locator("#results")).to_contain_text("2 results")
