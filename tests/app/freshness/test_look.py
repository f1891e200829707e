"""One look at a link of a site that really answers."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from app.freshness.look import MOST_REDIRECTS, Looker
from app.freshness.pace import Pace
from app.freshness.visit import Limits, Visitor
from app.freshness.words import content_hash
from app.store.sighting import Known, Sighting

Page = Callable[[Any], None]


def page(status: int = 200, body: str = "<p>An award</p>", **headers: str) -> Page:
    kind = {"Content_Type": "text/html", **headers}
    return lambda handler: handler.reply(status, body.encode(), **kind)


def moved(to: str, status: int = 301) -> Page:
    return page(status, "", Location=to)


def look(looker: Looker, site: Any, path: str, known: Known | None = None) -> Sighting:
    return looker.look(site.url(path), known or Known())


def test_a_page_is_asked_for_by_head_then_get_and_its_words_hashed(site: Any, looker: Looker) -> None:
    site.pages["/a"] = page(ETag='"v1"', Last_Modified="Tue, 01 Sep 2026 00:00:00 GMT")
    seen = look(looker, site, "/a")
    assert seen == Sighting(
        "ok", 200, None, None, '"v1"', "Tue, 01 Sep 2026 00:00:00 GMT", content_hash(b"An award", "text/html")
    )
    assert [method for method, *_ in site.requests] == ["GET", "HEAD", "GET"]
    assert site.asked("/robots.txt") == ["GET"]
    assert all(headers["User-Agent"] == "ScholarSearch/test" for _, _, headers, _ in site.requests)


def test_a_page_whose_validators_are_known_is_not_read_again(site: Any, looker: Looker) -> None:
    site.pages["/a"] = page(ETag='"v1"')
    first = look(looker, site, "/a")
    again = look(looker, site, "/a", Known(first.etag, first.last_modified, first.content_hash))
    assert again == first
    assert site.asked("/a") == ["HEAD", "GET", "HEAD"]


def test_a_server_that_answers_head_without_validators_is_asked_conditionally(
    site: Any, looker: Looker
) -> None:
    def asked(handler: Any) -> None:
        if handler.command == "HEAD":
            handler.reply(200)
        elif handler.headers.get("If-None-Match") == '"v1"':
            handler.reply(304, ETag='"v1"')
        else:
            handler.reply(200, b"An award", ETag='"v1"', Content_Type="text/html")

    site.pages["/a"] = asked
    first = look(looker, site, "/a")
    again = look(looker, site, "/a", Known(first.etag, None, first.content_hash))
    assert (again.state, again.status, again.content_hash) == ("ok", 304, first.content_hash)
    assert again.etag == '"v1"'


@pytest.mark.parametrize(("status", "state"), [(404, "gone"), (410, "gone"), (403, "error"), (500, "error")])
def test_a_status_means_what_it_says_once_a_get_has_said_it(
    site: Any, looker: Looker, status: int, state: str
) -> None:
    site.pages["/a"] = page(status)
    seen = look(looker, site, "/a")
    assert (seen.state, seen.status, seen.content_hash) == (state, status, None)
    assert site.asked("/a") == ["HEAD", "GET"]


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_that_does_not_know_head_is_not_taken_at_its_word(
    site: Any, looker: Looker, status: int
) -> None:
    site.pages["/a"] = lambda handler: page(status if handler.command == "HEAD" else 200)(handler)
    assert look(looker, site, "/a").state == "ok"


def test_a_server_that_hangs_up_on_head_is_asked_by_get(site: Any, looker: Looker) -> None:
    def hangs_up(handler: Any) -> None:
        if handler.command == "HEAD":
            handler.close_connection = True
            handler.connection.close()
        else:
            page()(handler)

    site.pages["/a"] = hangs_up
    assert look(looker, site, "/a").state == "ok"


def test_redirects_are_followed_and_noted(site: Any, looker: Looker) -> None:
    site.pages |= {"/a": moved("/b"), "/b": moved(site.url("/c?x=1"), 307), "/c?x=1": page()}
    seen = look(looker, site, "/a")
    assert (seen.state, seen.final_url) == ("ok", site.url("/c?x=1"))


def test_a_redirect_to_nowhere_is_gone_and_says_where(site: Any, looker: Looker) -> None:
    site.pages["/a"] = moved("/nowhere")
    seen = look(looker, site, "/a")
    assert (seen.state, seen.status, seen.final_url) == ("gone", 404, site.url("/nowhere"))


def test_redirects_in_a_circle_and_without_end_are_errors(site: Any, looker: Looker) -> None:
    site.pages |= {"/a": moved("/b"), "/b": moved("/a")}
    site.pages |= {f"/{at}": moved(f"/{at + 1}") for at in range(MOST_REDIRECTS + 5)}
    assert look(looker, site, "/a").detail == "redirects in a circle"
    endless = look(looker, site, "/0")
    assert (endless.state, endless.detail) == ("error", f"redirects more than {MOST_REDIRECTS} times")
    assert len(site.requests) < 2 * MOST_REDIRECTS


def test_robots_txt_is_kept_also_behind_a_redirect(site: Any, looker: Looker) -> None:
    site.pages |= {
        "/robots.txt": page(
            200, "User-agent: scholarsearch\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n"
        ),
        "/private/a": page(),
        "/a": moved("/private/a"),
        "/b": page(),
    }
    for path in ("/private/a", "/a"):
        assert look(looker, site, path) == Sighting("disallowed", detail="robots.txt disallows it")
    assert site.asked("/private/a") == []
    assert look(looker, site, "/b").state == "ok"
    assert site.asked("/robots.txt") == ["GET"]  # once for all


@pytest.mark.parametrize(("status", "state"), [(404, "ok"), (403, "ok"), (500, "disallowed")])
def test_a_site_without_rules_allows_all_and_one_that_cannot_tell_them_nothing(
    site: Any, looker: Looker, status: int, state: str
) -> None:
    site.pages |= {"/robots.txt": page(status), "/a": page()}
    assert look(looker, site, "/a").state == state


def test_robots_txt_may_ask_for_more_time(site: Any, looker: Looker) -> None:
    site.pages |= {"/robots.txt": page(200, "User-agent: *\nCrawl-delay: 1\n"), "/a": page(ETag='"1"')}
    look(looker, site, "/a")
    times = [at for _, path, _, at in site.requests if path == "/a"]
    assert times[1] - times[0] >= 0.9


def test_a_busy_site_is_left_alone(site: Any, looker: Looker) -> None:
    site.pages["/a"] = page(429, Retry_After="120")
    seen = look(looker, site, "/a")
    assert (seen.state, seen.status, seen.busy) == ("error", 429, True)
    assert site.asked("/a") == ["HEAD"]


def test_a_server_that_drips_is_cut_off(site: Any, make_looker: Callable[..., Looker]) -> None:
    def drips(handler: Any) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(200):
            try:
                handler.wfile.write(b".")
            except OSError:
                return
            time.sleep(0.1)

    site.pages["/a"] = drips
    seen = look(make_looker(total_s=0.6), site, "/a")
    assert (seen.state, seen.status) == ("unreachable", None)
    assert "longer than 0.6 s" in (seen.detail or "")


def test_a_long_page_is_read_up_to_the_limit(site: Any, looker: Looker) -> None:
    site.pages["/a"] = page(body="x" * 100_000)
    seen = look(looker, site, "/a")
    assert seen.content_hash == content_hash(b"x" * 4096, "text/html")


def test_nothing_that_is_not_http_is_taken_for_an_answer(site: Any, looker: Looker) -> None:
    def babbles(handler: Any) -> None:
        handler.wfile.write(b"220 mail ready\r\n" * 3)
        handler.close_connection = True

    site.pages["/a"] = babbles
    assert look(looker, site, "/a").state == "unreachable"


def test_this_machine_is_not_visited_unless_allowed(site: Any, make_looker: Callable[..., Looker]) -> None:
    site.pages["/a"] = page()
    careful = make_looker(allow_private=False)
    port = site.address.rpartition(":")[2]
    for host in ("127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "[::ffff:127.0.0.1]"):
        seen = careful.look(f"http://{host}:{port}/a", Known())
        assert seen.state == "refused", host
    assert site.requests == []


def test_the_judged_address_is_connected_to_whatever_the_name_means_elsewhere(site: Any) -> None:
    site.pages["/a"] = page()
    visitor = Visitor(
        "ScholarSearch/test",
        Limits(2.0, 5.0, 4096),
        allow_private=True,
        resolve=lambda host, port: ["127.0.0.1"],
    )
    looker = Looker(visitor, Pace(0.0, time.monotonic, time.sleep))
    port = site.address.rpartition(":")[2]
    seen = looker.look(f"http://no-such-host.invalid:{port}/a", Known())
    assert seen.state == "ok"
    assert site.requests[-1][2]["Host"] == f"no-such-host.invalid:{port}"


def test_nobody_there_is_unreachable(looker: Looker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert looker.look(f"http://127.0.0.1:{port}/", Known()).state == "unreachable"


def test_markup_may_change_without_the_page_saying_anything_new() -> None:
    before = b"<html><style>a{}</style><p>Closes <b>2&nbsp;Dec</b></p><script>token=1</script></html>"
    after = b"<html><!-- 7 --><div>Closes <i class=x>2&#160;Dec</i></div><script>token=2</script></html>"
    other = b"<p>Closes <b>3&nbsp;Dec</b></p>"
    kind = "text/html; charset=utf-8"
    assert content_hash(before, kind) == content_hash(after, kind) != content_hash(other, kind)
    assert content_hash(before, "application/pdf") != content_hash(after, "application/pdf")
