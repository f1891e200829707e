"""Searching in a real browser, end to end over HTTP: question, filters, pages, folds, address, languages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from index.document import Document

from .conftest import served, settled

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def titles(page: Page) -> list[str]:
    return [
        text.removesuffix(" (opens in a new tab)") for text in page.locator("#hits h3").all_text_contents()
    ]


def count(page: Page, n: int) -> None:
    expect(page.locator("#results")).to_contain_text(f"{n} result")


def test_a_question_gives_cards_with_their_facts(open_page: OpenPage) -> None:
    page = open_page()
    expect(page.get_by_role("heading", level=1)).to_have_text("What can you still apply for?")
    page.get_by_role("combobox", name="What are you looking for?").fill("doctoral")
    page.keyboard.press("Enter")
    count(page, 1)
    card = page.get_by_role("article", name="Ocean Futures Doctoral Fellowship")
    for fact in (
        "Open",
        "60 days left",
        "until 30 Nov 2026",
        "Northsea Institute",
        "Norway",
        "PhD",
        "Environmental sciences",
    ):
        expect(card).to_contain_text(fact)
    expect(card.locator(".amount")).to_have_text("EUR 32,000 a year")
    link = card.get_by_role("heading").get_by_role("link")
    assert link.get_attribute("href") == "https://awards.example/a01-ocean-phd"
    assert "noopener" in (link.get_attribute("rel") or "")
    assert page.title() == "doctoral · ScholarSearch"
    expect(page.locator("#announce")).to_have_text("1 result 1 is shown.")


def test_every_availability_is_said_in_words(open_page: OpenPage) -> None:
    page = open_page("/?q=")
    count(page, 13)
    page.locator("#more").click()
    expect(page.locator(".card")).to_have_count(13)
    words = {
        "Bolsa Mar Aberto": ("Open", "Last day", "anywhere on Earth"),
        "Stipendium Offene Werkstatt": ("Opens later", "in 31 days", "1 Nov 2026", "31 Jan 2027"),
        "Student Emergency Grant": ("Any time", "no fixed deadline"),
        "한빛 미래인재 장학금": ("Dates unknown", "deadline not stated", "not stated"),
        "Björkmans resestipendium": ("Dates unknown",),
        "Bourse Mistral": ("Closed", "since 31 Mar 2026"),
        "Beca Andina": ("Opens later", "zone not stated; AoE assumed"),
        "Ocean Futures Summer School": ("varies",),
    }
    for title, facts in words.items():
        card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=title))
        for fact in facts:
            expect(card).to_contain_text(fact)


def test_filters_narrow_and_their_chips_take_them_off(open_page: OpenPage) -> None:
    page = open_page("/?q=")
    count(page, 13)
    page.get_by_role("checkbox", name="Bachelor").check()
    page.get_by_role("checkbox", name="Norway").check()
    expect(page.locator("#in-force")).to_contain_text("Norway")
    assert "Ocean Futures Summer School Grant" in titles(page)
    expect(page).to_have_url(re.compile(r"\?q=&level=bachelor&country=NO$"))
    page.get_by_role("button", name="Norway, take off").press("Enter")
    expect(page.locator("#in-force")).not_to_contain_text("Norway")
    expect(page.get_by_role("button", name="Bachelor, take off")).to_be_focused()
    page.get_by_role("button", name="Bachelor, take off").press("Enter")
    expect(page.locator("#in-force")).to_be_empty()
    expect(page.locator("#q")).to_be_focused()
    count(page, 13)


def test_a_ticked_facet_keeps_the_focus(open_page: OpenPage) -> None:
    page = open_page("/?q=")
    box = page.get_by_role("checkbox", name="PhD")
    box.focus()
    page.keyboard.press("Space")
    expect(page.locator("#in-force")).to_contain_text("PhD")
    expect(page.locator("#found")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("checkbox", name="PhD")).to_be_focused()


def test_a_country_without_results_can_be_found_by_name(open_page: OpenPage) -> None:
    page = open_page("/?q=")
    count(page, 13)
    page.get_by_label("Find a country").fill("cote d")
    page.get_by_role("checkbox", name="Côte d’Ivoire").check()
    expect(page.locator("#in-force")).to_contain_text("Côte d’Ivoire")


def test_a_nationality_brings_verdicts_and_stays_out_of_every_request_line(open_page: OpenPage) -> None:
    asked: list[str] = []
    page = open_page(
        "/?q=scholarship", prepare=lambda page: page.on("request", lambda request: asked.append(request.url))
    )
    expect(page.locator(".card")).not_to_have_count(0)
    page.get_by_label("Your nationality").select_option("KZ")
    expect(page.locator(".verdict").first).to_be_visible()
    expect(page.locator("#in-force")).to_contain_text("for citizens of Kazakhstan")
    page.reload()
    expect(page.get_by_label("Your nationality")).to_have_value("KZ")
    expect(page.locator(".verdict").first).to_be_visible()
    assert page.url.endswith("#nationality=KZ")
    # What follows the "#" is for the browser alone.
    assert not [url for url in asked if "KZ" in url.partition("#")[0]]


def test_closed_ones_can_be_left_out_at_once(open_page: OpenPage) -> None:
    page = open_page("/?q=")
    count(page, 13)
    page.get_by_role("button", name="Hide closed").click()
    expect(page.get_by_role("button", name="Hide closed")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#in-force")).to_contain_text("not closed")
    count(page, 11)
    page.get_by_role("button", name="not closed, take off").click()
    count(page, 13)


def test_dates_amounts_and_the_day_of_the_question(open_page: OpenPage) -> None:
    page = open_page(
        "/?q=&deadline_from=2026-10-01&deadline_to=2026-12-31&unknown=exclude&as_of=2026-09-25&min_amount=25000&currency=EUR"
    )
    count(page, 1)
    assert titles(page) == ["Ocean Futures Doctoral Fellowship"]
    for words in (
        "deadline from 1 Oct 2026",
        "deadline to 31 Dec 2026",
        "stated facts only",
        "at least EUR 25,000",
        "as of 25 Sept 2026",
    ):
        expect(page.locator("#in-force")).to_contain_text(words)
    expect(page.locator("#as-of-line")).to_have_text("as of 25 Sept 2026")
    page.get_by_role("button", name="Take all off").click()
    count(page, 13)


def test_more_results_are_added_and_focus_goes_to_the_first_of_them(open_page: OpenPage) -> None:
    page = open_page("/?q=")
    expect(page.locator(".card")).to_have_count(10)
    first = titles(page)
    expect(page.locator("#after")).to_contain_text("10 of 13 shown")
    page.get_by_role("button", name="More results").press("Enter")
    expect(page.locator(".card")).to_have_count(13)
    assert titles(page)[:10] == first
    assert len(set(titles(page))) == 13
    expect(page.locator("#hits > li").nth(10).get_by_role("link").first).to_be_focused()
    expect(page.locator("#more")).to_have_count(0)
    expect(page.locator("#announce")).to_have_text("3 more results, 13 of 13 shown.")


def test_back_and_forward_walk_through_the_searches(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#q").fill("ocean")
    page.keyboard.press("Enter")
    count(page, 2)
    page.get_by_label("Sort").select_option("title")
    expect(page).to_have_url(re.compile(r"/\?q=ocean&sort=title$"))
    page.go_back()
    expect(page).to_have_url(re.compile(r"/\?q=ocean$"))
    expect(page.get_by_label("Sort")).to_have_value("relevance")
    page.go_back()
    expect(page.get_by_role("heading", name="For example")).to_be_visible()
    expect(page.locator("#q")).to_have_value("")
    page.go_forward()
    count(page, 2)
    expect(page.locator("#q")).to_have_value("ocean")


def test_the_whole_record_opens_with_every_round(open_page: OpenPage) -> None:
    page = open_page("/?q=summer")
    card = page.get_by_role("article", name="Ocean Futures Summer School Grant")
    card.get_by_text("All dates and conditions").click()
    rounds = card.get_by_role("table", name="Application rounds")
    expect(rounds.get_by_role("row")).to_have_count(3)
    expect(rounds).to_contain_text("30 Apr 2027")
    expect(card).to_contain_text("any nationality")
    card.get_by_text("Why this result").click()
    expect(card.locator(".why")).to_contain_text("BM25, from 0 up")


def test_the_time_of_each_stage_is_a_bar_and_a_table(open_page: OpenPage) -> None:
    page = open_page("/?q=ocean")
    page.locator("#timings summary").click()
    table = page.get_by_role("table", name="Time of each stage")
    expect(table).to_contain_text("Words (BM25)")
    expect(table).to_contain_text("Total in the service")
    widths = page.locator("#timings-bar i").evaluate_all(
        "parts => parts.map(part => part.getBoundingClientRect().width)"
    )
    assert all(width > 0 for width in widths)


def test_the_language_is_switched_and_remembered(open_page: OpenPage) -> None:
    page = open_page("/?q=doctoral")
    count(page, 1)
    page.get_by_role("button", name="中文").click()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    expect(page.locator("#results")).to_contain_text("1 条结果")
    card = page.get_by_role("article")
    for words in ("可申请", "还剩 60 天", "挪威", "博士", "每年 EUR 32,000", "环境科学"):
        expect(card).to_contain_text(words)
    page.reload()
    expect(page.locator("#results")).to_contain_text("1 条结果")
    assert not page.get_by_text("Narrow it down").count()


def test_a_chinese_browser_is_spoken_to_in_chinese(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN")
    expect(page.get_by_role("heading", level=1)).to_have_text("现在还能申请什么？")


def test_the_theme_follows_the_device_until_it_is_chosen(open_page: OpenPage) -> None:
    page = open_page("/?q=ocean", color_scheme="dark")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    button = page.locator("#theme")
    expect(button).to_have_text("Theme:  Auto")
    button.click()
    expect(button).to_have_text("Theme:  Light")
    assert page.evaluate(ground) != dark
    page.reload()
    expect(button).to_have_text("Theme:  Light")
    assert page.evaluate(ground) != dark
    button.click()
    assert page.evaluate(ground) == dark


def test_highlights_count_code_points(open_page: OpenPage, site: str) -> None:
    def mark(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["hits"][0]["highlights"] = {
            "title": [[0, 5]],
            "passage": {"text": "🎓🎓 doctoral 研究 research", "spans": [[3, 11], [12, 14], [13, 14]]},
        }
        route.fulfill(response=answer, json=body)

    page = open_page("/?q=doctoral", prepare=lambda page: page.route("**/v1/search", mark))
    expect(page.locator(".passage mark")).to_have_text(["doctoral", "研究"])
    expect(page.locator(".passage")).to_have_text("🎓🎓 doctoral 研究 research")
    expect(page.locator("h3 mark")).to_have_text(["Ocean"])


def test_a_passage_does_not_repeat_the_title_and_the_provider(open_page: OpenPage) -> None:
    def mark(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        head = "Ocean Futures Doctoral Fellowship. Northsea Institute. "
        start = len(head)
        spans = [[0, 5], [start + 2, start + 9]]
        body["hits"][0]["highlights"] = {
            "title": [],
            "passage": {"text": f"{head}🎓 marine research", "spans": spans},
        }
        route.fulfill(response=answer, json=body)

    page = open_page("/?q=doctoral", prepare=lambda page: page.route("**/v1/search", mark))
    expect(page.locator(".passage")).to_have_text("🎓 marine research")
    expect(page.locator(".passage mark")).to_have_text(["marine "])


@pytest.mark.parametrize(
    ("as_of", "words"),
    [
        ("2027-03-15T05:00:00Z", "Last day"),
        ("2027-03-16T05:00:00Z", "Perhaps still"),
        ("2027-03-10", "5 days left"),
    ],
)
def test_an_assumed_zone_never_makes_a_day_look_longer(open_page: OpenPage, as_of: str, words: str) -> None:
    page = open_page(f"/?q=Andina&as_of={as_of}")
    card = page.get_by_role("article", name="Beca Andina de Posgrado")
    for said in ("Open", words, "until 15 Mar 2027", "zone not stated; AoE assumed"):
        expect(card).to_contain_text(said)


def test_an_address_with_nonsense_is_refused_in_words(open_page: OpenPage, watch: Any) -> None:
    watch.refusals = True
    page = open_page(
        "/?q=&deadline_from=soon&min_amount=much&currency=gold&as_of=%00&sort=best&country=%3F&level=x"
    )
    expect(page.get_by_role("alert")).to_contain_text("This search cannot be made as it stands")
    page.get_by_role("button", name="Take all off").click()
    page.get_by_label("Sort").select_option("relevance")
    count(page, 13)


def test_markup_in_a_record_stays_text(open_page: OpenPage) -> None:
    page = open_page("/?q=prize")
    card = page.get_by_role("article")
    expect(card).to_contain_text("<script>window.hacked=1</script> Prize")
    expect(card).to_contain_text("<b onmouseover=window.hacked=1>Bold</b> & Sons")
    expect(card).to_contain_text("<u>field</u>")
    card.get_by_text("All dates and conditions").click()
    expect(card).to_contain_text("<svg onload=window.hacked=1></svg> 🎓🎓 a text with markup")
    assert card.locator("img, script, b[onmouseover], u, svg[onload]").count() == 0
    assert page.evaluate("window.hacked") is None
    # An address that is not of the web leads nowhere.
    expect(card.get_by_role("link")).to_have_count(0)
    expect(card).to_contain_text("no link stated")


def test_markup_in_the_question_stays_text(open_page: OpenPage) -> None:
    page = open_page("/?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E&provider=%3Ci%3Ex%3C%2Fi%3E")
    expect(page.locator("#results")).to_contain_text("<img src=x onerror=window.hacked=1>")
    expect(page.locator("#in-force")).to_contain_text("provider: <i>x</i>")
    assert page.evaluate("window.hacked") is None


def test_text_cannot_become_markup_even_by_mistake(open_page: OpenPage, watch: object) -> None:
    page = open_page()
    refused = page.evaluate(
        "try { document.body.innerHTML = '<i>x</i>'; 'done' } catch (error) { error.name }"
    )
    assert refused == "TypeError"
    watch.faults.clear()  # type: ignore[attr-defined]  # the browser reports what it refused


def test_without_scripts_the_page_says_so(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    expect(page.locator(".noscript")).to_contain_text("This page needs JavaScript")
    page.locator("#q").fill("doctoral")
    page.get_by_role("button", name="Search").click()
    assert page.url.endswith("/v1/search?q=doctoral")
    assert json.loads(page.locator("body").inner_text())["hits"][0]["id"] == "a01-ocean-phd"


def test_the_skip_link_leads_to_the_results(open_page: OpenPage) -> None:
    page = open_page("/?q=ocean#nationality=NO")
    count(page, 2)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the results")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#results")).to_be_focused()
    assert page.url.endswith("#nationality=NO")


def test_a_programme_of_several_records_says_who_else_lists_it(
    browser: Browser, twelve: tuple[Document, ...]
) -> None:
    shown = replace(
        twelve[0], doc_id="t0", title="Twin Award", programme_id="twin", url="https://a.example/1"
    )
    other = replace(shown, doc_id="t1", source="feed-b", url="https://b.example/twin")
    same = replace(shown, doc_id="t2", url="https://a.example/2")
    with served((shown, other, same), datetime.fromisoformat("2026-10-01T12:00:00+00:00")) as site:
        context = browser.new_context(base_url=site, locale="en-GB")
        page = context.new_page()
        page.goto("/?q=twin")
        settled(page)
        line = page.locator("#hits .also").first
        expect(line).to_have_text("Also listed by b.example")
        expect(line.get_by_role("link")).to_have_attribute("href", "https://b.example/twin")
        context.close()
