"""A web address taken apart, and the machines it may lead to: none of this network, whatever its name says."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import quote, urljoin, urlsplit

from .errors import Refused, Unreachable

MOST_CHARACTERS = 2048
_PORTS = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024
# What a browser would escape too; "%" stays, since it marks what is escaped already.
_SAFE = "/%:@!$&'()*+,;=~-._?"
# IPv4 addresses wrapped in IPv6 ones: judged by what is inside.
_NAT64 = ip_network("64:ff9b::/96")

Resolve = Callable[[str, int], list[str]]
"""Host and port → the numeric addresses of the host. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Place:
    """scheme: http or https. host: in ASCII, lower case, without brackets. target: path and query, escaped."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        """Scheme, host and port as an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == _PORTS[self.scheme] else f":{self.port}")

    @property
    def url(self) -> str:
        """The whole address."""
        return self.origin + self.target

    def at(self, target: str) -> Place:
        """Another target of the same origin."""
        return Place(self.scheme, self.host, self.port, target)

    def onward(self, location: str) -> Place:
        """Where a redirection from here leads. Raises Refused."""
        return place(urljoin(self.url, location.strip()))


def place(url: str) -> Place:
    """The parts of a web address. Raises Refused for anything that is not a plain one."""
    if len(url) > MOST_CHARACTERS:
        raise Refused(f"longer than {MOST_CHARACTERS} characters")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise Refused(f"no web address ({error})") from error
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        raise Refused(f"{scheme or 'no scheme'}: only http and https are visited")
    if parts.username is not None or parts.password is not None:
        raise Refused("holds a user name")
    number = port or _PORTS[scheme]
    if number not in _PORTS.values() and number < _FIRST_FREE_PORT:
        raise Refused(f"port {number} is no web server's")
    target = quote(parts.path or "/", safe=_SAFE) + (
        f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    )
    return Place(scheme, _host(parts.hostname), number, target)


def addresses(of: Place, resolve: Resolve, *, allow_private: bool) -> list[str]:
    """The numeric addresses to connect to. Raises Unreachable without any, Refused if one is not public.

    One private address among public ones is enough to refuse: which of them answers is not ours to choose.
    """
    try:
        found = list(dict.fromkeys(resolve(of.host, of.port)))
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"no such host ({error})") from error
    if not found:
        raise Unreachable("no such host")
    if not allow_private:
        for address in found:
            if not is_public(address):
                raise Refused(f"{of.host} is {address}, which is not public")
    return found


def resolve(host: str, port: int) -> list[str]:
    """The addresses that this machine's resolver knows."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether a numeric address belongs to a machine of the public internet."""
    found = ip_address(address.partition("%")[0])
    judged = (_inside(found) if isinstance(found, IPv6Address) else None) or found
    return judged.is_global and not (judged.is_multicast or judged.is_reserved)


def _inside(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 one stands for; None when it stands for itself."""
    if address in _NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def _host(name: str | None) -> str:
    if not name:
        raise Refused("no host")
    if ":" in name:
        return name
    try:
        host = name.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise Refused(f"{name!r} is no host name") from error
    if not re.fullmatch(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", host):
        raise Refused(f"{name!r} is no host name")
    return host
