"""What is kept and not counted, and why: a pure function of one search and its events, whatever order they came in.

unknown     no search of that id was served
unshown     the document did not stand on that page
bot         of a robot: by its name, or faster than people are
forced      of a search whose system or arm a tester chose
late        received more than a day after the search
skew        the client's clock says that it was before the search, or is still to come
duplicate   the same once more within two seconds, as a double click is
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

LATE_S = 86_400.0
SKEW_S = 300.0
DOUBLE_S = 2.0
QUICK_S, QUICK_CLICKS = 2.0, 5
"""More clicks than this within so many seconds, on one page, are no person's."""
RATE_S, RATE_SEARCHES = 60.0, 60
"""More searches than this of one unit within so many seconds are no person's."""
FLAGS = frozenset({"unknown", "unshown", "bot", "forced", "late", "skew", "duplicate"})
_REPEATABLE = frozenset({"dwell"})
# Crawlers that say so, and browsers that nobody looks at. Libraries that call the interface are not among them:
# a person may sit behind them. Cubot makes telephones.
_ROBOT = re.compile(
    r"(?<!cu)bot\b|bot[/;_-]|crawl|spider|slurp|archiver|facebookexternalhit|preview|headless|phantomjs|lighthouse"
    r"|pingdom|uptime|monitor|scrapy",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was served, as far as its events are judged by it. ranks: by the id of each hit."""

    at_s: float
    ranks: Mapping[str, int]
    flag: str | None


@dataclass(frozen=True, slots=True)
class Sent:
    """An event as far as it is judged. at_s: as the client said; None when it did not."""

    event_id: str
    type: str
    doc_id: str | None
    at_s: float | None
    received_s: float

    @property
    def moment_s(self) -> float:
        """When it happened, as far as that is known."""
        return self.received_s if self.at_s is None else self.at_s


def is_robot(user_agent: str) -> bool:
    """Whether a caller calls itself one."""
    return _ROBOT.search(user_agent) is not None


def flags_of(page: Page | None, events: Iterable[Sent]) -> dict[str, str | None]:
    """The flag of each event of one page, by event id; None = it counts."""
    ordered = sorted(events, key=lambda one: (one.moment_s, one.event_id))
    found = {one.event_id: _own_flag(page, one) for one in ordered}
    counted = [one for one in ordered if found[one.event_id] is None]
    for event_id in _too_quick([one for one in counted if one.type == "click"]):
        found[event_id] = "bot"
    for event_id in _repeated([one for one in counted if found[one.event_id] is None]):
        found[event_id] = "duplicate"
    return found


def too_many(moments: Sequence[tuple[float, str]]) -> set[str]:
    """The ids among (second, id) that stand in a minute with more searches than a person makes."""
    ordered = sorted(moments)
    return _crowded([at for at, _ in ordered], [key for _, key in ordered], RATE_S, RATE_SEARCHES)


def _own_flag(page: Page | None, event: Sent) -> str | None:
    """What the event is flagged for by itself."""
    if page is None:
        return "unknown"
    if event.doc_id is not None and event.doc_id not in page.ranks:
        return "unshown"
    if page.flag is not None:
        return page.flag
    if event.received_s - page.at_s > LATE_S:
        return "late"
    if event.at_s is not None and not page.at_s - SKEW_S <= event.at_s <= event.received_s + SKEW_S:
        return "skew"
    return None


def _too_quick(clicks: Sequence[Sent]) -> set[str]:
    moments, ids = [one.moment_s for one in clicks], [one.event_id for one in clicks]
    return _crowded(moments, ids, QUICK_S, QUICK_CLICKS)


def _repeated(events: Sequence[Sent]) -> set[str]:
    last: dict[tuple[str, str | None], float] = {}
    found = set()
    for one in events:
        what = (one.type, one.doc_id)
        if one.type not in _REPEATABLE and one.moment_s - last.get(what, float("-inf")) < DOUBLE_S:
            found.add(one.event_id)
        else:
            last[what] = one.moment_s
    return found


def _crowded(moments: Sequence[float], ids: Sequence[str], within_s: float, most: int) -> set[str]:
    """The ids in any stretch of `within_s` seconds that holds more than `most`; moments ascending."""
    found: set[str] = set()
    first = 0
    for at, moment in enumerate(moments):
        while moment - moments[first] > within_s:
            first += 1
        if at - first + 1 > most:
            found.update(ids[first : at + 1])
    return found
