"""One look at one link: HEAD, and GET where that does not settle it; redirects followed, robots.txt kept.

A page is read when it may have changed: its validators are new, or there are none. A HEAD that fails says little, many
servers answer it wrongly, so only a GET makes a link gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.store.sighting import Known, Sighting, State

from .errors import LinkTrouble, Refused, Unreachable
from .pace import Pace
from .place import Place, place
from .robots import Robots
from .visit import Reply, Visitor
from .words import content_hash

MOST_REDIRECTS = 10
_GONE = (404, 410)
_BUSY = (429, 503)
_REDIRECTS = (301, 302, 303, 307, 308)


class _Disallowed(LinkTrouble):
    """robots.txt keeps this robot away."""


@dataclass(frozen=True, slots=True)
class _Arrival:
    """The answer at the end of the redirects, and where that is."""

    reply: Reply
    place: Place


class Looker:
    """Looks at links. Threads may share it; `pace` spaces the requests of each host, those of robots.txt included."""

    def __init__(self, visitor: Visitor, pace: Pace) -> None:
        self._visitor = visitor
        self._pace = pace
        self._robots = Robots(self._ask)

    def look(self, url: str, known: Known) -> Sighting:
        """What is to be seen of a link now. Never raises for what a site does."""
        try:
            start = place(url)
            return self._looked(start, known)
        except _Disallowed as error:
            return Sighting("disallowed", detail=str(error))
        except Refused as error:
            return Sighting("refused", detail=str(error))
        except Unreachable as error:
            return Sighting("unreachable", detail=str(error))
        except LinkTrouble as error:
            return Sighting("error", detail=str(error))

    def _looked(self, start: Place, known: Known) -> Sighting:
        try:
            head = self._arrive("HEAD", start, {})
            if head.reply.status == 200 and _same(head.reply, known):
                return replace(_seen(head, start), content_hash=known.content_hash)
            if head.reply.status in _BUSY:
                return _seen(head, start)
        except Unreachable:
            pass  # some servers hang up on HEAD: GET decides
        got = self._arrive("GET", start, _conditions(known))
        if got.reply.status == 304:
            seen = _seen(got, start)
            etag, modified = seen.etag or known.etag, seen.last_modified or known.last_modified
            return replace(
                seen, state="ok", etag=etag, last_modified=modified, content_hash=known.content_hash
            )
        seen = _seen(got, start)
        if seen.state != "ok":
            return seen
        kind = got.reply.headers.get("Content-Type") or ""
        return replace(seen, content_hash=content_hash(got.reply.body, kind))

    def _arrive(self, method: str, at: Place, headers: dict[str, str]) -> _Arrival:
        """The first answer that is no redirect. Raises LinkTrouble."""
        seen = set()
        for _ in range(MOST_REDIRECTS + 1):
            if at.url in seen:
                raise LinkTrouble("redirects in a circle")
            seen.add(at.url)
            self._permit(at)
            reply = self._ask(method, at, headers)
            location = reply.headers.get("Location")
            if reply.status not in _REDIRECTS or not location:
                return _Arrival(reply, at)
            at = at.onward(location)
        raise LinkTrouble(f"redirects more than {MOST_REDIRECTS} times")

    def _permit(self, at: Place) -> None:
        try:
            rules = self._robots.rules(at)
            allowed = rules.allow(at)
        except (Refused, Unreachable):
            raise
        except LinkTrouble as error:
            raise _Disallowed(str(error)) from error
        if not allowed:
            raise _Disallowed("robots.txt disallows it")
        self._pace.slow_down(at.host, rules.delay_s)

    def _ask(self, method: str, at: Place, headers: dict[str, str] | None = None) -> Reply:
        self._pace.wait(at.host)
        return self._visitor.ask(method, at, headers)


def _seen(arrival: _Arrival, start: Place) -> Sighting:
    reply = arrival.reply
    return Sighting(
        state=_state(reply.status),
        status=reply.status,
        final_url=None if arrival.place == start else arrival.place.url,
        etag=reply.headers.get("ETag"),
        last_modified=reply.headers.get("Last-Modified"),
        busy=reply.status in _BUSY,
    )


def _state(status: int) -> State:
    if status in _GONE:
        return "gone"
    return "ok" if 200 <= status < 300 else "error"


def _same(reply: Reply, known: Known) -> bool:
    """Whether a page says of itself that it is the one seen before; without validators it says nothing."""
    if known.content_hash is None:
        return False
    etag, modified = reply.headers.get("ETag"), reply.headers.get("Last-Modified")
    if etag or known.etag:
        return etag == known.etag
    return bool(modified) and modified == known.last_modified


def _conditions(known: Known) -> dict[str, str]:
    """The headers by which a server may answer "as it was"."""
    if known.content_hash is None:
        return {}
    stated = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {
        name: value for name, value in stated.items() if value and value.isascii() and value.isprintable()
    }
