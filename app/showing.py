"""What is shown of one ranking or two: as ranked, a little shuffled, or mixed by team draft.

The draw is a function of the search alone (`seed`), so every page of one search comes out of the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b

import numpy as np

from index.availability import AVAILABILITY
from index.snapshot import Snapshot
from index.types import Mask, Rows

from .call import SearchCall
from .exploration import explore
from .interleaving import Team, draft
from .pipeline import Ranking
from .plan import Plan

_CLOSED = AVAILABILITY.index("closed")


@dataclass(frozen=True, slots=True)
class Shown:
    """One place of the shown order: the row, and the ranking it is from.

    propensity: the chance with which it was to stand here; None where nothing is shuffled. team: whose hit it is; None
    where nothing is mixed, or where it counts for nobody.
    """

    row: int
    ranking: Ranking
    propensity: float | None = None
    team: Team | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """A ranking and the rows of it that can be paged through, in the order asked for."""

    ranking: Ranking
    rows: Rows


def stated(plan: Plan, call: SearchCall) -> str:
    """All of a plan that one search keeps from page to page; where chance plays a part, also for whom it is drawn.

    Askers of the same words on the same day must not all be shown the same draw.
    """
    drawn = plan.explore is not None or plan.interleave is not None
    # What is left of a budget differs from page to page; what is asked does not.
    return repr(replace(plan, budget_ms=None)) + (f" {call.unit_id!r} {call.session_id!r}" if drawn else "")


def is_drawn(call: SearchCall) -> bool:
    """Whether chance may play a part: not where the caller said the order, nor where nothing was asked."""
    return not call.sort and bool(call.query.text.strip())


def is_mixed(call: SearchCall) -> bool:
    """Whether two rankings may be mixed: not where the caller chose about reranking, or set a least score.

    A least score on the scale of one system says nothing of the other's hits.
    """
    return is_drawn(call) and call.min_score is None and call.rerank.enabled is None


def show(
    call: SearchCall, plan: Plan, offered: Sequence[Offered], seed: str, snapshot: Snapshot, as_of: datetime
) -> list[Shown]:
    """The shown order. offered: the plan's own ranking, and its rival's where there is one. seed: names the search."""
    own = offered[0]
    if len(offered) > 1:
        return _mixed(offered[0], offered[1], plan, _generator(seed), snapshot)
    if plan.explore is None or not is_drawn(call):
        return [Shown(row, own.ranking) for row in own.rows.tolist()]
    closed: Mask = np.asarray(snapshot.columns.states(as_of))[own.rows] == _CLOSED
    rows, chances = explore(own.rows, closed, plan.explore, _generator(seed))
    return [
        Shown(row, own.ranking, chance) for row, chance in zip(rows.tolist(), chances.tolist(), strict=True)
    ]


def matched(offered: Sequence[Offered], plan: Plan, snapshot: Snapshot) -> Rows:
    """The rows that any of the rankings matched; one a programme where programmes are collapsed."""
    if len(offered) == 1:
        return offered[0].ranking.candidates.rows
    rows = np.concatenate([one.ranking.candidates.rows for one in offered])
    _, first = np.unique(_keys(rows, plan, snapshot), return_index=True)
    found: Rows = rows[np.sort(first)]
    return found


def _mixed(a: Offered, b: Offered, plan: Plan, rng: np.random.Generator, snapshot: Snapshot) -> list[Shown]:
    teams = {"a": a, "b": b}
    picks = draft(_keys(a.rows, plan, snapshot).tolist(), _keys(b.rows, plan, snapshot).tolist(), rng)
    return [
        Shown(
            int(teams[pick.team].rows[pick.place]),
            teams[pick.team].ranking,
            team=pick.team if pick.counts else None,
        )
        for pick in picks
    ]


def _keys(rows: Rows, plan: Plan, snapshot: Snapshot) -> Rows:
    """What is the same to a reader: rounds of a programme where programmes are collapsed, else only the record."""
    return np.asarray(snapshot.columns.programmes, np.int64)[rows] if plan.collapse else rows


def _generator(seed: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(blake2b(seed.encode(), digest_size=16).digest(), "big"))
