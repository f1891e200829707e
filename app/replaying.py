"""Counterfactual replay of logged searches: what would this system have earned with the people who were served others?

Each search is ranked again by the system asked about, with the words, the filters and the day of the search, over the
snapshot that is here now. Only searches whose hits were shuffled with known chances can be weighed; the others are
counted and left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from pydantic import ValidationError

from evaluation.replay.outcome import Replay, replay
from evaluation.replay.ranked import FIRST, foretold, places
from evaluation.replay.searches import LoggedSearch
from index.build import Progress
from index.types import Filters, Query

from .api.filters import parse_filters
from .library import Library
from .pipeline import search
from .plan import Plan
from .systems import system

_GONE = 0.05
"""Share of shown programmes that may be missing today before it is said."""


@dataclass(frozen=True, slots=True)
class SearchReplay:
    """left_out: why → how many searches were not weighed. notes: what a reader of the figures should know."""

    replay: Replay
    weighed: int
    left_out: Mapping[str, int]
    notes: tuple[str, ...]

    def figures(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        told = {"weighed": self.weighed, "left_out": dict(self.left_out), "notes": list(self.notes)}
        return {**self.replay.figures(), **told}


def replay_searches(
    searches: Sequence[LoggedSearch],
    name: str,
    metric: str,
    library: Library,
    rng: np.random.Generator,
    progress: Progress,
    cap: float | None = None,
) -> SearchReplay:
    """What system `name` would have earned per search. Raises UnknownSystem, and ReplayError for a log without chances.

    metric: one of `evaluation.replay.ranked.METRICS`. cap: of the weights that `clipped` and `switch` trust.
    """
    plan = replace(system(name), explore=None, interleave=None, budget_ms=None)
    reasons = [_left_out(one) for one in searches]
    weighed = [one for one, reason in zip(searches, reasons, strict=True) if reason is None]
    wanted = _wanted(weighed, plan, library, progress)
    found = places(weighed, wanted, metric)
    outcome = replay(found.decisions(), name, metric, rng, foretold(found, rng), cap=cap)
    left_out = Counter(reason for reason in reasons if reason is not None)
    return SearchReplay(outcome, len(weighed), left_out, tuple(_notes(weighed, searches, library)))


def _left_out(one: LoggedSearch) -> str | None:
    """Why a search cannot be weighed; None where it can."""
    if one.offset:
        return "a later page"
    if not one.hits:
        return "no hits"
    if any(hit.team for hit in one.hits):
        return "two systems were mixed"
    if not any(hit.propensity is not None and hit.rank <= FIRST for hit in one.hits):
        return "no chances: nothing was shuffled"
    if one.text is None:
        return "no words: the asker did not consent"
    if not one.text.strip():
        return "nothing was asked"
    return None if _filters(one) is not None else "its filters are not known to this version"


def _filters(one: LoggedSearch) -> Filters | None:
    """The filters of a search, none where the log holds none; None where they cannot be read."""
    try:
        return parse_filters(one.filters or {})
    except ValidationError:
        return None


def _wanted(
    searches: Sequence[LoggedSearch], plan: Plan, library: Library, progress: Progress
) -> dict[str, tuple[str, ...]]:
    """By query id, what the plan ranks first; the same words on the same day are ranked once."""
    ids = library.snapshot.corpus.ids
    judge = library.judge if plan.rerank is not None else None
    known: dict[tuple[object, ...], tuple[str, ...]] = {}
    wanted: dict[str, tuple[str, ...]] = {}
    for done, one in enumerate(searches, start=1):
        key = (one.text, repr(one.filters), one.at.date())
        if key not in known:
            query = Query(one.query_id, one.text or "", one.at, filters=_filters(one) or Filters())
            ranking = search(
                query, plan, library.snapshot, library.encoder, library.clock, judge, library.attraction
            )
            known[key] = tuple(ids[row] for row in ranking.ranked.rows[:FIRST].tolist())
        wanted[one.query_id] = known[key]
        progress(f"rank with {plan.system}", done, len(searches))
    return wanted


def _notes(weighed: Sequence[LoggedSearch], searches: Sequence[LoggedSearch], library: Library) -> list[str]:
    notes = []
    shown = [hit.doc_id for one in weighed for hit in one.hits if hit.rank <= FIRST]
    gone = sum(library.snapshot.corpus.row(doc_id) is None for doc_id in shown) / max(len(shown), 1)
    if gone > _GONE:
        notes.append(f"{gone:.0%} of the hits that were shown are no longer in the catalogue")
    if any(one.text is None for one in searches):
        notes.append("only searches whose asker consented are weighed; others may search differently")
    if any(one.filters is None for one in weighed):
        notes.append("the log does not say which filters were set; such searches were ranked without any")
    return notes
