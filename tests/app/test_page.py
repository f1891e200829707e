"""The page's files as they are served, and the rules its sources keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from fastapi.testclient import TestClient

from app.api import page
from app.call import SortKey
from app.fake import open_fake
from app.main import create_app
from app.settings import Settings
from index.eligibility import REASONS
from index.types import AvailabilityState, Level

FOLDER = Path(page.__file__).parent.parent / "page"
SOURCES = sorted(FOLDER.iterdir())
SCRIPTS = [file for file in SOURCES if file.suffix == ".js"]
DICTIONARIES = (FOLDER / "en.js", FOLDER / "zh-hans.js")
OF_EXPERIMENTS = (FOLDER / "experiments-en.js", FOLDER / "experiments-zh-hans.js")
ADDRESSES = {"index.html": "/", "experiments.html": "/experiments"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(), open_fake)) as client:
        yield client


def entries(dictionary: Path) -> dict[str, str]:
    """Key → what stands behind it in a dictionary."""
    parts = re.split(r'^  "([^"]+)":', dictionary.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


# --- serving ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES.values())
def test_a_page_is_html_under_a_strict_policy(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.name)
def test_every_file_is_served_as_what_it_is(client: TestClient, file: Path) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
    answer = client.get(ADDRESSES.get(file.name, f"/assets/{file.name}"))
    assert answer.content == file.read_bytes()
    assert answer.headers["Content-Type"] == f"{kinds[file.suffix]}; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/experiments", "/assets/main.js"])
def test_a_file_that_is_held_already_is_not_sent_again(client: TestClient, path: str) -> None:
    etag = client.get(path).headers["ETag"]
    for held in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = client.get(path, headers={"If-None-Match": held})
        assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", etag)
    for other in ('"other"', etag.strip('"'), ""):
        assert client.get(path, headers={"If-None-Match": other}).status_code == 200


def test_head_gives_the_headers_alone(client: TestClient) -> None:
    answer = client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == str((FOLDER / "index.html").stat().st_size)


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "index.html",
        "experiments.html",
        "..%2fsettings.py",
        "%2e%2e/settings.py",
        "../settings.py",
        "main.js%00",
        "en",
        "",
    ],
)
def test_only_the_pages_own_files_have_an_address(client: TestClient, name: str) -> None:
    answer = client.get(f"/assets/{name}")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


# --- sources ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_has_no_inline_code_or_style(name: str) -> None:
    html = (FOLDER / name).read_text(encoding="utf-8")
    assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:", html)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", html))
    assert set(re.findall(r'(?:src|href)="([^"#][^"]*)"', html)) <= {
        *(f"/assets/{file.name}" for file in SOURCES),
        *("/", "/docs", "/v1/experiments"),
    }


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_no_script_parses_markup_or_leaves_the_site(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text
    )
    assert set(re.findall(r"https?://[^\"'\s]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r'from "(?!\./)', text), "only modules of the page are imported"
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (FOLDER / name).is_file()


@pytest.mark.parametrize(
    "file", [file for file in SOURCES if file.suffix == ".css"], ids=lambda file: file.name
)
def test_no_style_fetches_anything(file: Path) -> None:
    assert not re.search(r"url\(|@import|@font-face", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("pair", [DICTIONARIES, OF_EXPERIMENTS], ids=["search", "experiments"])
def test_both_languages_say_the_same_things(pair: tuple[Path, Path]) -> None:
    english, chinese = map(entries, pair)
    assert len(english) > 100
    assert list(english) == list(chinese)
    for key, text in english.items():
        # A plural form may leave a figure out; what a translation fills in must be there to fill.
        assert set(re.findall(r"\{(\w+)\}", chinese[key])) == set(re.findall(r"\{(\w+)\}", text)), key


def test_no_english_is_left_in_the_chinese() -> None:
    same = {key for key, text in entries(DICTIONARIES[1]).items() if not re.search(r"[\u4e00-\u9fff]", text)}
    assert same <= {
        "date.between",
        "date.text",
        "comma",
        "semicolon",
        "reason.stated",
        "results.for",
        "why.moved",
    }
    signs = {
        key for key, text in entries(OF_EXPERIMENTS[1]).items() if not re.search(r"[\u4e00-\u9fff]", text)
    }
    assert signs <= {"x.none", "x.unit.share", "x.unit.plain"}


def test_no_page_says_what_another_says_by_the_same_key() -> None:
    assert set(entries(DICTIONARIES[0])) & set(entries(OF_EXPERIMENTS[0])) == set()


def test_every_key_that_is_used_is_known() -> None:
    keys = entries(DICTIONARIES[0]) | entries(OF_EXPERIMENTS[0])
    html = "".join((FOLDER / name).read_text(encoding="utf-8") for name in ADDRESSES)
    used = set(re.findall(r'data-t(?:-label|-hint)?="([^"]+)"', html))
    for file in SCRIPTS:
        used |= set(
            re.findall(
                r'\b(?:t|rich|unstated|fact|count)\("([a-z]\w*(?:\.[\w.-]+)?)"', file.read_text("utf-8")
            )
        )
    assert len(used) > 100
    assert used - set(keys) == set()


def test_every_closed_set_of_the_service_has_its_words() -> None:
    keys = set(entries(DICTIONARIES[0]))
    assert {f"availability.{state}" for state in get_args(AvailabilityState)} <= keys
    assert {f"level.{level}" for level in get_args(Level)} <= keys
    assert {f"reason.{code}" for code in REASONS} <= keys
    assert {f"verdict.{verdict}" for verdict in ("eligible", "unknown", "ineligible")} <= keys


def test_every_order_that_is_offered_is_one_the_service_has() -> None:
    html = (FOLDER / "index.html").read_text(encoding="utf-8")
    offered = re.findall(r'<option value="([^"]+)" data-t="sort', html)
    assert offered
    assert set(offered) <= set(get_args(SortKey))
    assert f"SORTS = {str(offered).replace(chr(39), chr(34))}" in (FOLDER / "state.js").read_text("utf-8")
