"""Addresses: what may be visited, and what never is, whatever its name says."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.freshness.errors import Refused, Unreachable
from app.freshness.place import Place, addresses, is_public, place


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("http://example.org:80/a?b=c#d", "http://example.org/a?b=c"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("http://例え.jp/パス?q=ü x", "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9?q=%C3%BC%20x"),
        ("http://[2606:4700::1111]/x", "http://[2606:4700::1111]/x"),
        ("https://example.org/a%20b", "https://example.org/a%20b"),
        ("https://example.org./", "https://example.org/"),
    ],
)
def test_addresses_are_written_in_one_way(url: str, told: str) -> None:
    assert place(url).url == told
    assert place(told).url == told


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/a", "file:///etc/passwd", "javascript:alert(1)", "//example.org", "example.org", "",
        "http://user:word@example.org/", "http://example.org:25/", "http://example.org:99999/", "http:///a",
        "http://exa mple.org/", "http://a\r\nHost: b/", "https://example.org/" + "a" * 3000, "http://[::1",
    ],
)  # fmt: skip
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        place(url)


def test_no_line_can_be_smuggled_into_a_request() -> None:
    made = place("http://example.org/a\r\nX-Evil: 1?b\tc")
    assert not set(made.target) & set("\r\n\t ")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0",  # noqa: S104
        "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0",
        "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    ],
)  # fmt: skip
def test_private_addresses_are_refused_in_every_dress(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(Refused):
        addresses(Place("http", "award.example", 80, "/"), lambda host, port: [address], allow_private=False)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_visited(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_changes_nothing(inner: IPv4Address) -> None:
    number = int(inner)
    wrapped = (
        f"::ffff:{inner}",
        str(ip_address((0x64FF9B << 96) | number)),
        str(ip_address((0x2002 << 112) | (number << 80))),
    )
    assert {is_public(address) for address in wrapped} == {is_public(str(inner))}


def test_one_private_address_among_public_ones_refuses_the_host() -> None:
    at = Place("http", "award.example", 80, "/")
    with pytest.raises(Refused):
        addresses(at, lambda host, port: ["8.8.8.8", "10.0.0.1"], allow_private=False)
    assert addresses(at, lambda host, port: ["10.0.0.1"], allow_private=True) == ["10.0.0.1"]


def test_a_host_without_an_address_is_unreachable() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    for resolve in (unknown, lambda host, port: []):
        with pytest.raises(Unreachable):
            addresses(Place("http", "nowhere.example", 80, "/"), resolve, allow_private=False)


def test_redirects_are_judged_like_any_address() -> None:
    at = place("https://example.org/a/b")
    assert at.onward("../c?d").url == "https://example.org/c?d"
    assert at.onward("//other.example/x").url == "https://other.example/x"
    with pytest.raises(Refused):
        at.onward("file:///etc/passwd")
