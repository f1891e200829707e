"""One round over the links of the store: those that are due, looked at and kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from itertools import islice

from app.store import Store
from app.store.sighting import Known
from app.store.visits import Visit, all_visits, keep_visits

from .checker import Progress, Tally, check
from .crew import Crew
from .look import Looker
from .pace import Pace
from .robots import NAME
from .visit import Limits, Visitor

SOON = timedelta(hours=20)
"""After it, what could not be told is looked at again: a daily round then meets it on another day."""
_SETTLED = frozenset({"ok", "disallowed", "refused"})


@dataclass(frozen=True, slots=True)
class Manner:
    """How links are visited.

    interval_s: the least pause between two requests to one host; robots.txt may ask for more. threads: hosts at one
    time. older_than: how old what was seen may grow. contact: where the owner of a site can write to. sources: whose
    records; None for all. most: how many links at most in this round.
    """

    interval_s: float = 2.0
    threads: int = 8
    limits: Limits = field(default_factory=Limits)
    older_than: timedelta = timedelta(days=7)
    contact: str | None = None
    allow_private: bool = False
    sources: frozenset[str] | None = None
    most: int | None = None


def look_round(
    store: Store,
    manner: Manner,
    now: Callable[[], datetime],
    progress: Progress = lambda step, done, total: None,
    stop: threading.Event | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Tally:
    """The tally of one round. Raises StoreError; what a site does is a result, never an error."""
    pace = Pace(manner.interval_s, time.monotonic, sleep)
    visitor = Visitor(agent(manner.contact), manner.limits, manner.allow_private)
    crew = Crew(Looker(visitor, pace).look, pace.ready_at, manner.threads)
    links = due(store, manner, now())
    return check(links, crew, lambda seen: keep_visits(store, seen, now()), progress, stop)


def due(store: Store, manner: Manner, at: datetime) -> dict[str, Known]:
    """The links to look at, each with what is known of it: never seen ones first, then the longest unseen."""
    visits = {visit.url: visit for visit in all_visits(store)}
    urls = _urls(store, manner.sources)
    found = [(visits[url].checked_at if url in visits else None, url) for url in urls]
    waiting = sorted(
        (checked_at is not None, checked_at or at, url)
        for checked_at, url in found
        if checked_at is None or _is_due(visits[url], manner.older_than, at)
    )
    return {url: _known(visits.get(url)) for _, _, url in islice(waiting, manner.most)}


def agent(contact: str | None) -> str:
    """The name that the link checker gives itself."""
    try:
        number = version("scholarsearch")
    except PackageNotFoundError:
        number = "0"
    return f"{NAME}/{number} (link checker{f'; {contact}' if contact else ''})"


def _urls(store: Store, sources: Iterable[str] | None) -> set[str]:
    wanted = None if sources is None else frozenset(sources)
    return {
        one.url for one in store.documents() if one.url and (wanted is None or (one.source or "") in wanted)
    }


def _is_due(visit: Visit, older_than: timedelta, at: datetime) -> bool:
    settled = visit.sighting.state in _SETTLED or visit.broken_since is not None
    return at - visit.checked_at >= (older_than if settled else min(SOON, older_than))


def _known(visit: Visit | None) -> Known:
    if visit is None:
        return Known()
    seen = visit.sighting
    return Known(seen.etag, seen.last_modified, seen.content_hash)
