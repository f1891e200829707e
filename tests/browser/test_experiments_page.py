"""The page of experiments in a real browser: experiments of the real registry, reports as the service sends them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from app.settings import Settings
from index.document import Document

from .conftest import served
from .experiment_report import early, mismatched, report

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]

NOW = "2026-10-01T12:00:00+00:00"
KEY = "boss"
DEEPER = {
    "description": "Does a deeper first stage help? <b>Five hundred</b> candidates instead of two hundred.",
    "coverage": 20,
    "layer": "ranking",
    "slot": [0, 4000],
    "starts_at": "2026-09-10T00:00:00Z",
    "arms": [
        {"name": "control", "weight": 50},
        {"name": "deep", "weight": 50, "overrides": {"depth": 500, "rerank.depth": 40}},
    ],
}
THREE = {
    "starts_at": "2026-12-24T00:00:00Z",
    "targeting": {"langs": ["zh", "en"]},
    "arms": [{"name": name, "weight": weight} for name, weight in (("a", 33.34), ("b", 33.33), ("c", 33.33))],
}
VARIANTS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "chinese": {"color_scheme": "light", "locale": "zh-CN"},
    "phone": {"color_scheme": "light", "width": 320, "height": 700},
}


def call(site: str, method: str, path: str, body: object = None, key: str = KEY) -> Any:
    sent = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "X-Api-Key": key}
    with urlopen(Request(site + path, sent, headers, method=method)) as answer:  # noqa: S310 - our own server
        return json.load(answer)


def wait_until_ready(site: str) -> None:
    for _ in range(500):
        with contextlib.suppress(HTTPError):
            call(site, "GET", "/readyz")
            return
    raise AssertionError("the service does not get ready")


@pytest.fixture
def site(twelve: tuple[Document, ...]) -> Iterator[str]:
    """A service with three experiments: one runs, one is planned, one is stopped."""
    with served(twelve, datetime.fromisoformat(NOW), Settings(admin_key=KEY)) as address:
        wait_until_ready(address)
        call(address, "PUT", "/v1/experiments/deeper", DEEPER)
        call(address, "PUT", "/v1/experiments/three-ways", THREE)
        call(address, "PUT", "/v1/experiments/words", {"arms": [{"name": "only", "weight": 100}]})
        call(address, "POST", "/v1/experiments/words:stop", {"reason": "the answer was clear"})
        yield address


def reporting(**answers: Any) -> Callable[[Page], None]:
    """Reports by key of the experiment; the others have none. The page's clock stands at the service's."""

    def answer(route: Route) -> None:
        key = route.request.url.split("/")[-2]
        found = answers.get(key.replace("-", "_"))
        if found is None:
            problem = {"title": "Not found", "status": 404, "detail": "There is no report."}
            route.fulfill(status=404, content_type="application/problem+json", body=json.dumps(problem))
        else:
            route.fulfill(json=found)

    def prepare(page: Page) -> None:
        page.clock.set_fixed_time(NOW)
        page.route("**/v1/experiments/*/report", answer)

    return prepare


def opened(open_page: OpenPage, watch: Any, address: str = "/experiments", **options: Any) -> Page:
    """The page, once its first reading is over."""
    watch.refusals = True  # the planned experiment has no report
    page = open_page(address, **options)
    expect(page.locator("#shown")).to_have_attribute("aria-busy", "false")
    page.wait_for_load_state("networkidle")
    return page


def test_the_list_shows_state_arms_coverage_and_light(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    expect(page.locator("#all-summary")).to_have_text("1 of 3 is running")
    entries = page.locator("#list a")
    expect(entries.locator(".name")).to_have_text(["deeper", "three-ways", "words"])
    expect(entries.locator(".badge")).to_have_text(["running", "planned", "stopped"])
    expect(entries.nth(0)).to_contain_text("control and deep · coverage 20%")
    expect(entries.nth(0).locator(".light")).to_have_text("Split as planned")
    expect(entries.nth(1).locator(".light")).to_have_count(0)
    expect(entries.nth(0)).to_have_attribute("aria-current", "page")


def test_everything_needed_to_decide_stands_on_the_page(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    expect(page.get_by_role("heading", name="deep is better")).to_be_visible()
    expect(page.locator(".sentence")).to_contain_text("at least by 0.016")
    expect(page.locator(".would")).to_contain_text("What would change this: A mismatch of the split")
    rows = page.get_by_role("table", name="Figures by arm").get_by_role("row")
    first = rows.nth(1)
    expect(first).to_contain_text("Click-MRR@5")
    expect(first).to_contain_text("decides")
    expect(first.get_by_role("cell")).to_have_text(
        ["0.341", "0.370", "−0.020+0.02", "+0.029+0.017 to +0.041+8.4% of control", "< 0.001", "better"]
    )
    latency = rows.filter(has_text="Time to answer")
    expect(latency).to_contain_text("worse, but too little to matter")
    expect(rows.filter(has_text="Nothing clicked")).to_contain_text("−1.2 points")
    traffic = page.get_by_role("table", name="Traffic by arm").get_by_role("row")
    expect(traffic.nth(2).get_by_role("cell")).to_have_text(["", "50%", "50.15%", "9,369", "42,031"])
    expect(page.get_by_role("img", name="Click-MRR@5, deep minus control, look by look")).to_be_visible()
    expect(page.locator(".lead")).to_contain_text("<b>Five hundred</b>")


def shape(page: Page, selector: str) -> dict[str, float]:
    """Where a mark lies in its picture, without the breadth of its line: {"x": left, "width": width}, in pixels."""
    box: dict[str, float] = page.locator(selector).first.evaluate(
        "mark => { const { x, width } = mark.getBBox(); return { x, width }; }"
    )
    return box


def test_the_pictures_are_true_to_scale(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    drawn = ".figures .primary .interval"
    zero = shape(page, f"{drawn} .zero")["x"]
    band = shape(page, f"{drawn} .band")
    per_unit = band["width"] / 0.04
    dot = shape(page, f"{drawn} .dot")
    once, always = shape(page, f"{drawn} .once"), shape(page, f"{drawn} line.always")
    assert zero == pytest.approx(band["x"] + band["width"] / 2, abs=1)
    assert (dot["x"] + dot["width"] / 2 - zero) / per_unit == pytest.approx(0.0287, abs=0.0004)
    assert once["width"] / per_unit == pytest.approx(2 * 1.96 * 0.0042, abs=0.0004)
    assert always["width"] / per_unit == pytest.approx(2 * 2.9 * 0.0042, abs=0.0006)
    track, filled = shape(page, ".share .track"), shape(page, ".share rect.arm-1")
    assert filled["width"] / track["width"] == pytest.approx(9_369 / 18_681, abs=0.005)


def test_a_split_that_is_off_overrules_every_figure(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=mismatched()))
    expect(page.get_by_role("heading", name="No verdict")).to_be_visible()
    expect(page.locator(".tile .light-red")).to_have_text("Split is off")
    expect(page.locator("#list .light")).to_have_text("Split is off")
    readings = page.locator(".figures .reads, .slices .reads")
    assert set(readings.all_inner_texts()) == {"not to be trusted"}


def test_the_three_lights_differ_in_shape_and_word(open_page: OpenPage, watch: Any) -> None:
    seen = {}
    for found in (report(), mismatched(), early()):
        page = opened(open_page, watch, prepare=reporting(deeper=found))
        light = page.locator(".tile .light").first
        seen[light.inner_text()] = light.locator("svg").evaluate("sign => sign.innerHTML")
    assert len(seen) == len(set(seen.values())) == 3


def test_unknown_figures_are_left_out_and_not_guessed(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=early()))
    expect(page.get_by_role("heading", name="Undecided so far")).to_be_visible()
    dwell = page.get_by_role("row").filter(has_text="Time with what was clicked")
    expect(dwell.get_by_role("cell").nth(0)).to_have_text("–")
    expect(dwell.locator(".dot")).to_have_count(0)
    expect(page.locator(".interval line.always")).to_have_count(1)  # that of the key
    expect(page.locator(".tiles")).to_contain_text("About 24 days more")
    assert "NaN" not in page.locator("#shown").inner_text()
    assert "null" not in page.locator("#shown").inner_text()


@pytest.mark.parametrize(
    "odd", [{}, {"version": 2}, {"version": 1, "searches": 0}, {"version": 1, "searches": 9}]
)
def test_a_report_that_says_little_or_is_of_another_version_harms_nothing(
    open_page: OpenPage, watch: Any, odd: dict[str, Any]
) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=odd))
    expect(page.get_by_role("heading", name="deeper")).to_be_visible()
    expect(page.get_by_role("heading", name="No figures yet")).to_have_count(0 if odd.get("searches") else 1)
    expect(page.get_by_role("heading", name="How it is made")).to_be_visible()


def test_without_a_report_the_plan_is_shown(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, "/experiments?key=three-ways", prepare=reporting())
    expect(page.get_by_role("heading", name="No figures yet")).to_be_visible()
    expect(page.locator("#shown")).to_contain_text("from 24 Dec 2026")
    expect(page.locator(".traffic tbody tr")).to_have_count(3)
    expect(page.locator(".design")).to_contain_text("zh and en")


def test_the_address_is_the_experiment(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    page.get_by_role("link", name="words").click()
    expect(page).to_have_url(f"{watch.site}/experiments?key=words")
    expect(page.locator("#shown-title")).to_be_focused()
    expect(page.locator("#shown")).to_contain_text("Stopped because: the answer was clear")
    page.go_back()
    expect(page.locator("#shown-title")).to_contain_text("deeper")
    page.goto("/experiments?key=none")
    expect(page.locator("#shown")).to_contain_text("There is no experiment of the key “none”.")


def test_without_the_key_it_only_reads(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.headers.get('x-api-key')}"))
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(page.locator("#coverage")).to_have_count(0)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert set(sent) == {"GET None"}


def give_key(page: Page, key: str) -> None:
    page.get_by_label("Admin key").fill(key)
    page.keyboard.press("Enter")
    expect(page.locator("#coverage")).to_be_focused()


def test_stopping_takes_the_key_and_a_second_thought(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    give_key(page, KEY)
    page.get_by_role("button", name="Stop the experiment…").click()
    page.get_by_role("button", name="Keep it running").click()
    assert call(watch.site, "GET", "/v1/experiments/deeper")["state"] == "running"
    page.get_by_role("button", name="Stop the experiment…").press("Enter")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("deep is slower")
    page.keyboard.press("Enter")
    expect(page.locator("#shown-title .badge")).to_have_text("stopped")
    expect(page.locator("#shown-title")).to_be_focused()
    expect(page.locator("#announce")).to_have_text("The experiment is stopped.")
    expect(page.locator("#stop")).to_have_count(0)
    stopped = call(watch.site, "GET", "/v1/experiments/deeper")
    assert (stopped["state"], stopped["stop_reason"]) == ("stopped", "deep is slower")


def test_coverage_changes_within_the_version(open_page: OpenPage, watch: Any) -> None:
    before = call(watch.site, "GET", "/v1/experiments/deeper")
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    give_key(page, KEY)
    page.get_by_label("Coverage").fill("35.5")
    page.get_by_role("button", name="Change coverage").click()
    expect(page.locator(".controls .change .said")).to_have_text("The coverage is changed.")
    expect(page.locator("#list")).to_contain_text("coverage 35.5%")
    assert call(watch.site, "GET", "/v1/experiments/deeper") == {**before, "coverage": 35.5}
    page.get_by_label("Coverage").fill("41")  # its slot holds 40
    page.get_by_role("button", name="Change coverage").click()
    assert page.evaluate("!document.querySelector('#coverage').checkValidity()")


def test_what_somebody_else_changed_is_not_overwritten(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    give_key(page, KEY)
    call(watch.site, "PUT", "/v1/experiments/deeper", {**DEEPER, "coverage": 5})
    page.get_by_label("Coverage").fill("30")
    page.get_by_role("button", name="Change coverage").click()
    expect(page.locator(".controls .change .said")).to_contain_text("Somebody else changed the experiment")
    expect(page.get_by_label("Coverage")).to_have_value("5")
    assert call(watch.site, "GET", "/v1/experiments/deeper")["coverage"] == 5


def test_a_wrong_key_is_refused_and_a_key_lives_in_its_tab_alone(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    give_key(page, "wrong")
    page.get_by_role("button", name="Change coverage").click()
    expect(page.locator(".controls .change .said")).to_contain_text("refused the admin key")
    assert page.evaluate("JSON.stringify(localStorage) + document.cookie") == "{}"
    assert "wrong" in page.evaluate("JSON.stringify(sessionStorage)")
    page.reload()
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_label("Admin key")).to_be_focused()
    expect(page.locator("#coverage")).to_have_count(0)
    assert page.evaluate("JSON.stringify(sessionStorage)") == "{}"


def test_figures_come_again_by_themselves_and_leave_what_is_typed(open_page: OpenPage, watch: Any) -> None:
    told = [report(), mismatched()]

    def prepare(page: Page) -> None:
        page.clock.install(time=NOW)
        page.route("**/v1/experiments/*/report", lambda route: route.fulfill(json=told[0]))

    page = opened(open_page, watch, prepare=prepare)
    expect(page.locator(".tile .light").first).to_have_text("Split as planned")
    del told[0]
    give_key(page, KEY)
    page.get_by_label("Coverage").fill("33")
    page.clock.fast_forward(31_000)
    expect(page.locator("#list .light").first).to_have_text("Split is off")
    expect(page.get_by_label("Coverage")).to_have_value("33")
    page.get_by_label("Coverage").blur()
    page.clock.fast_forward(31_000)
    expect(page.locator(".tile .light").first).to_have_text("Split is off")


def test_a_service_that_fails_is_said_and_asked_again(open_page: OpenPage, watch: Any) -> None:
    failing = [True]

    def prepare(page: Page) -> None:
        def maybe(route: Route) -> None:
            if failing:
                route.fulfill(status=503, json={"detail": "The store cannot be read."})
            else:
                route.continue_()

        page.route("**/v1/experiments", maybe)

    watch.refusals = True
    page = open_page("/experiments", prepare=prepare)
    expect(page.get_by_role("alert")).to_contain_text("The store cannot be read.")
    failing.clear()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#shown-title")).to_contain_text("deeper")


def test_no_experiment_at_all(open_page: OpenPage, watch: Any) -> None:
    page = opened(
        open_page,
        watch,
        prepare=lambda page: page.route(
            "**/v1/experiments", lambda route: route.fulfill(json={"experiments": []})
        ),
    )
    expect(page.get_by_role("heading", name="No experiments yet")).to_be_visible()


STATES: dict[str, dict[str, Any]] = {
    "decided": {"deeper": report()},
    "mismatch": {"deeper": mismatched()},
    "early": {"deeper": early()},
    "no-figures": {},
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_overflows(
    open_page: OpenPage, watch: Any, state: str, variant: str
) -> None:
    page = opened(open_page, watch, prepare=reporting(**STATES[state]), **VARIANTS[variant])
    found = Axe().run(page).response["violations"]
    assert [f"{rule['id']}: {[node['html'] for node in rule['nodes']][:3]}" for rule in found] == []
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), "the page scrolls sideways"


@pytest.mark.parametrize("variant", VARIANTS)
def test_axe_finds_nothing_where_one_may_change(open_page: OpenPage, watch: Any, variant: str) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()), **VARIANTS[variant])
    page.locator("#admin-key").fill(KEY)
    page.locator("#admin-key").press("Enter")
    for _ in range(2):
        found = Axe().run(page).response["violations"]
        assert [f"{rule['id']}: {[node['html'] for node in rule['nodes']][:3]}" for rule in found] == []
        if not page.locator("dialog[open]").count():
            page.locator("#stop").click()


def test_the_language_changes_everything_but_what_was_written_by_people(
    open_page: OpenPage, watch: Any
) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()))
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="deep 更好")).to_be_visible()
    expect(page.locator(".sentence")).to_have_attribute("lang", "en")
    expect(page.locator("#list .badge")).to_have_text(["进行中", "未开始", "已停止"])
    page.reload()
    expect(page.get_by_role("heading", name="deep 更好")).to_be_visible()


def test_on_paper_there_are_the_figures_and_nothing_to_press(open_page: OpenPage, watch: Any) -> None:
    page = opened(open_page, watch, prepare=reporting(deeper=report()), color_scheme="dark")
    give_key(page, KEY)
    page.emulate_media(media="print")
    expect(page.locator("#all")).to_be_hidden()
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".figures .interval").first).to_be_visible()
    ink = page.evaluate("getComputedStyle(document.querySelector('.sentence')).color")
    assert max(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(",")) < 100
