"""One HTTP exchange with one machine whose address has been judged, within a time and a size.

The connection goes to the judged address itself, so a name that answers differently the next time gains nothing. No
cookies, no redirects, no proxies of the environment.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.message import Message

from .errors import Unreachable
from .place import Place, Resolve, addresses, resolve

_CHUNK_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Limits:
    """wait_s: longest silence. total_s: longest exchange. body_bytes: how much of a page is read."""

    wait_s: float = 10.0
    total_s: float = 30.0
    body_bytes: int = 1 << 20


@dataclass(frozen=True, slots=True)
class Reply:
    """What a machine answered; `body` is empty for HEAD, and cut at the limit."""

    status: int
    headers: Message
    body: bytes


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever asks: its name, its limits, and whether it may visit machines of its own network."""

    agent: str
    limits: Limits = Limits()
    allow_private: bool = False
    resolve: Resolve = resolve

    def ask(self, method: str, place: Place, headers: Mapping[str, str] | None = None) -> Reply:
        """The answer to one request. Raises Refused before, Unreachable during it."""
        # Each address gets its turn, as browsers do it: one family of addresses is often a dead end.
        tried = addresses(place, self.resolve, allow_private=self.allow_private)
        sent = {"User-Agent": self.agent, "Accept": "*/*", "Accept-Encoding": "identity", **(headers or {})}
        trouble: OSError | None = None
        for address in tried[:2]:
            try:
                return self._exchange(method, place, sent, address)
            except ConnectionRefusedError as error:
                trouble = error
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise Unreachable(_words(error)) from error
        raise Unreachable(_words(trouble or OSError("no connection"))) from trouble

    def _exchange(self, method: str, place: Place, headers: Mapping[str, str], address: str) -> Reply:
        connection = _connection(place, address, self.limits.wait_s)
        with closing(connection), _cut_off(connection, self.limits.total_s) as is_late:
            try:
                connection.request(method, place.target, headers=dict(headers))
                response = connection.getresponse()
                body = b"" if method == "HEAD" else self._body(response)
            except (OSError, http.client.HTTPException, ValueError) as error:
                if is_late():
                    raise self._late() from error
                raise
            # A line that was cut looks like the end of a page.
            if is_late():
                raise self._late()
            return Reply(response.status, response.headers, body)

    def _late(self) -> TimeoutError:
        return TimeoutError(f"took longer than {self.limits.total_s:g} s")

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        parts, left = [], self.limits.body_bytes
        while left > 0 and (part := response.read(min(_CHUNK_BYTES, left))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)


class _Plain(http.client.HTTPConnection):
    """HTTP to a given address, whatever the host is called."""

    address = ""
    line: socket.socket | None = None  # `sock` is let go of once an answer has begun that ends with the line

    def connect(self) -> None:
        self.sock = self.line = socket.create_connection((self.address, self.port), self.timeout)


class _Secure(http.client.HTTPSConnection):
    """HTTPS to a given address, with a certificate for the host's name."""

    address = ""
    line: socket.socket | None = None
    secrets: ssl.SSLContext

    def connect(self) -> None:
        self.line = socket.create_connection((self.address, self.port), self.timeout)
        try:
            self.sock = self.line = self.secrets.wrap_socket(self.line, server_hostname=self.host)
        except BaseException:
            self.line.close()
            raise


def _connection(place: Place, address: str, wait_s: float) -> _Plain | _Secure:
    if place.scheme == "http":
        plain = _Plain(place.host, place.port, timeout=wait_s)
        plain.address = address
        return plain
    secure = _Secure(place.host, place.port, timeout=wait_s)
    secure.address, secure.secrets = address, ssl.create_default_context()
    return secure


@contextmanager
def _cut_off(connection: _Plain | _Secure, after_s: float) -> Iterator[Callable[[], bool]]:
    """Whether the exchange was cut off because it took longer: a server that drips is never silent for long."""
    late = threading.Event()

    def cut() -> None:
        late.set()
        if (line := connection.line) is not None:
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it ended by itself, just now

    timer = threading.Timer(after_s, cut)
    timer.daemon = True
    timer.start()
    try:
        yield late.is_set
    finally:
        timer.cancel()


def _words(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
