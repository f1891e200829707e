"""What came of each search: the one place where clicks become figures, for `/metrics` and for experiments alike.

A search is the first page of an answer; its further pages, recognised by visit and words, count as parts of it. Events
with a flag count for nothing. Defined for every search, also one without a click or a hit, are

    click_mrr@5    1 / rank of the best-ranked hit clicked among the first five; 0 without one
    ctr@1, ctr@5   1 when the first hit, one of the first five was clicked, else 0
    zero_click     1 when nothing was clicked, applied for or saved, on no page, else 0
    zero_result    1 when nothing was found, else 0
    applied        1 when something was applied for or saved, else 0
    degraded       1 when a stage could not do its part, else 0
    latency_ms     time to answer, the wait in the queue included

and, NaN where it is not known or does not apply,

    refined        1 when its asker said so or, within two minutes and without a click, searched again in other words
                   in the same visit, else 0; NaN where nobody knows who asked
    dwell_ms       the stays on its hits, of each the longest told, summed; NaN when no stay was told: a stay that has
                   not ended is not one of no length

A search without a click counts in `click_mrr@5`: an average over searches with clicks alone would praise an arm for
losing the clicks at low ranks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .visits import visits

DEPTH = 5
REFINED_WITHIN_S = 120.0
METRICS = (
    *("click_mrr@5", "ctr@1", "ctr@5", "zero_click", "zero_result", "refined"),
    *("dwell_ms", "applied", "degraded", "latency_ms"),
)
_TAKEN = frozenset({"apply", "save"})


@dataclass(frozen=True, slots=True)
class Served:
    """One page that was served. at_s: seconds since 1970, UTC. offset: hits before this page; shown: hits on it."""

    query_id: str
    at_s: float
    unit: str | None
    session: str | None
    query_hash: str
    offset: int
    shown: int
    total_ms: float
    degraded: bool = False
    flag: str | None = None

    @property
    def who(self) -> str | None:
        """Whose search it is: of a session, or else of a person; None when neither is known."""
        return self.session or self.unit


@dataclass(frozen=True, slots=True)
class Deed:
    """One event of a page. rank: where its hit stood, from 1 over all pages; None without a hit."""

    query_id: str
    type: str
    doc_id: str | None
    rank: int | None
    dwell_ms: float | None
    at_s: float
    flag: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one search. metrics: by name, as above. clicks: clicked hits; untold: those without a stay told."""

    served: Served
    metrics: Mapping[str, float]
    clicks: int
    untold: int


def outcomes(served: Iterable[Served], deeds: Iterable[Deed]) -> list[Outcome]:
    """The outcome of every search that is not flagged, by time.

    served: all pages of the time looked at, in any order, also flagged ones. deeds: events of any pages.
    """
    pages = sorted(
        (one for one in served if one.flag is None), key=lambda one: (one.at_s, one.offset, one.query_id)
    )
    done: dict[str, list[Deed]] = defaultdict(list)
    for deed in deeds:
        if deed.flag is None:
            done[deed.query_id].append(deed)
    visit = _visit_of(pages, done)
    whole = _gathered(pages, done, visit)
    searches = [one for one in pages if one.offset == 0]
    after = _followed(searches, visit)
    return [_outcome(one, whole[one.query_id], after.get(one.query_id)) for one in searches]


def _visit_of(pages: Sequence[Served], done: Mapping[str, Sequence[Deed]]) -> dict[str, int]:
    """The visit of each page whose asker is known, by query id."""
    moments = [(one.who, one.at_s) for one in pages if one.who]
    moments += [(one.who, deed.at_s) for one in pages if one.who for deed in done.get(one.query_id, ())]
    numbers = visits(moments)
    return {one.query_id: numbers[one.who, one.at_s] for one in pages if one.who}


def _gathered(
    pages: Sequence[Served], done: Mapping[str, Sequence[Deed]], visit: Mapping[str, int]
) -> dict[str, list[Deed]]:
    """The deeds of each search by query id, those of its further pages with them."""
    first: dict[tuple[int, str], str] = {}
    found: dict[str, list[Deed]] = {}
    for page in pages:
        place = (visit.get(page.query_id, -1), page.query_hash)
        if page.offset == 0:
            found[page.query_id] = list(done.get(page.query_id, ()))
            if page.who:
                first[place] = page.query_id
        elif place in first:
            found[first[place]] += done.get(page.query_id, ())
    return found


def _followed(searches: Sequence[Served], visit: Mapping[str, int]) -> dict[str, float]:
    """By query id: after how many seconds its asker searched in other words, in the same visit."""
    found: dict[str, float] = {}
    last: dict[int, Served] = {}
    for one in searches:
        number = visit.get(one.query_id)
        if number is None:
            continue
        before = last.get(number)
        if before is not None and before.query_hash != one.query_hash:
            found[before.query_id] = one.at_s - before.at_s
        last[number] = one
    return found


def _outcome(served: Served, deeds: Sequence[Deed], followed_s: float | None) -> Outcome:
    clicked = {deed.doc_id: deed.rank for deed in deeds if deed.type == "click" and deed.rank is not None}
    best = min(clicked.values(), default=None)
    stays: dict[str | None, float] = {}
    for deed in deeds:
        if deed.type == "dwell" and deed.dwell_ms is not None:
            stays[deed.doc_id] = max(stays.get(deed.doc_id, 0.0), deed.dwell_ms)
    taken = any(deed.type in _TAKEN for deed in deeds)
    metrics = {
        "click_mrr@5": 1 / best if best is not None and best <= DEPTH else 0.0,
        "ctr@1": float(best == 1),
        "ctr@5": float(best is not None and best <= DEPTH),
        "zero_click": float(not clicked and not taken),
        "zero_result": float(served.shown == 0),
        "refined": _refined(served, deeds, followed_s, left=not clicked and not taken),
        "dwell_ms": sum(stays.values()) if stays else math.nan,
        "applied": float(taken),
        "degraded": float(served.degraded),
        "latency_ms": served.total_ms,
    }
    return Outcome(served, metrics, len(clicked), len(clicked.keys() - stays.keys()))


def _refined(served: Served, deeds: Sequence[Deed], followed_s: float | None, *, left: bool) -> float:
    if any(deed.type == "refine" for deed in deeds):
        return 1.0
    if served.who is None:
        return math.nan
    return float(left and followed_s is not None and followed_s <= REFINED_WITHIN_S)
