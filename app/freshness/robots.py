"""What the owner of a site lets robots look at (robots.txt, RFC 9309), fetched once for each origin."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from urllib.robotparser import RobotFileParser

from .errors import LinkTrouble
from .place import Place
from .visit import Reply

NAME = "ScholarSearch"
"""The name that rules for this robot are looked up by."""
LONGEST_DELAY_S = 60.0
_MOST_BYTES = 512 * 1024
_MOST_REDIRECTS = 5

Ask = Callable[[str, Place], Reply]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one origin. trouble: why there are none, in which case nothing may be looked at."""

    parser: RobotFileParser | None = None
    trouble: LinkTrouble | None = None

    def allow(self, place: Place) -> bool:
        """Whether this robot may look at a place. Raises the trouble that kept the rules away."""
        if self.trouble is not None:
            raise type(self.trouble)(str(self.trouble))
        return self.parser is None or self.parser.can_fetch(NAME, place.url)

    @property
    def delay_s(self) -> float:
        """The pause that the owner asks for, 0 where none; never above `LONGEST_DELAY_S`."""
        delay = self.parser.crawl_delay(NAME) if self.parser is not None else None
        return min(float(delay or 0), LONGEST_DELAY_S)


class Robots:
    """The rules of every origin asked about, remembered. Threads may share it."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._known: dict[str, Rules] = {}
        self._asking: dict[str, threading.Lock] = {}

    def rules(self, place: Place) -> Rules:
        """The rules for the origin of a place; the first caller fetches them, others wait for it."""
        origin = place.origin
        with self._lock:
            turn = self._asking.setdefault(origin, threading.Lock())
        with turn:
            if origin not in self._known:
                self._known[origin] = self._fetched(place.at("/robots.txt"))
            return self._known[origin]

    def _fetched(self, place: Place) -> Rules:
        try:
            for _ in range(_MOST_REDIRECTS + 1):
                reply = self._ask("GET", place)
                if not 300 <= reply.status < 400 or not reply.headers.get("Location"):
                    return _read(reply)
                place = place.onward(reply.headers["Location"])
        except LinkTrouble as error:
            return Rules(trouble=error)
        return Rules()  # redirected for ever: as if there were none


def _read(reply: Reply) -> Rules:
    # A site that has no rules allows everything; one that cannot say what they are allows nothing now.
    if reply.status >= 500:
        return Rules(trouble=LinkTrouble(f"robots.txt answers {reply.status}"))
    if reply.status != 200:
        return Rules()
    parser = RobotFileParser()
    parser.parse(reply.body[:_MOST_BYTES].decode("utf-8-sig", "replace").splitlines())
    return Rules(parser)
