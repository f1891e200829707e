"""What a log of searches teaches of its users: where they look, whom they prefer, how they took each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .attraction import STRENGTH, attractions
from .clustered import dense
from .decisions import Codes, ReplayError, Values
from .interleaved import Preference, preference
from .position import Shows, fitted, harvested, weighed
from .searches import LoggedHit, LoggedSearch

Method = Literal["harvested", "weighed", "fitted"]
RANKS = 10
_RESAMPLES = 100


@dataclass(frozen=True, slots=True)
class Look:
    """values: (R,) the chance that each rank is looked at, 1 at the first, with 95 % intervals by unit (R, 2).

    method: one of those of `position`.
    """

    values: Values
    intervals: Values
    method: Method
    searches: int
    clicks: int


def look(
    searches: Sequence[LoggedSearch],
    rng: np.random.Generator,
    method: Method | None = None,
    ranks: int = RANKS,
) -> Look:
    """How often each rank is looked at.

    method: None = harvested, or fitted where an order never changed. `weighed` takes the hits that were shuffled, and
    is right where each had a chance on every rank, as in a Plackett-Luce arm. Raises ReplayError where it cannot be
    told, as without a click at rank 1.
    """
    rows = [(one, hit) for one in searches for hit in one.hits if hit.rank <= ranks and hit.team is None]
    if method == "weighed":
        rows = [(one, hit) for one, hit in rows if hit.propensity is not None and hit.propensity < 1]
    if not rows:
        raise ReplayError("the log shows no hit" if method != "weighed" else "no hit of the log was shuffled")
    shows, units = _shows(rows)
    deepest = int(shows.ranks.max())
    if method is None:
        method = "fitted" if _again(shows, deepest, "harvested") is None else "harvested"
    values = _ESTIMATE[method](shows, deepest)
    drawn = [_again(_resampled(shows, units, rng), deepest, method) for _ in range(_RESAMPLES)]
    known = np.array([one for one in drawn if one is not None])
    bounds = np.quantile(known, (0.025, 0.975), axis=0).T if len(known) else np.stack([values] * 2, axis=1)
    return Look(values, bounds, method, len({one.query_id for one, _ in rows}), int(shows.clicked.sum()))


def preferred(searches: Sequence[LoggedSearch], rng: np.random.Generator) -> Preference:
    """Which team of mixed hits users prefer. Raises ReplayError where no search was mixed or none was decided."""
    mixed = [one for one in searches if any(hit.team for hit in one.hits)]
    if not mixed:
        raise ReplayError("no search of the log mixed the hits of two systems")
    units = _codes([one.unit for one in mixed])
    a, b = (np.array([_clicked(one, team) for one in mixed]) for team in ("a", "b"))
    return preference(units, a, b, rng)


def taken(
    searches: Sequence[LoggedSearch], examination: Values, strength: float = STRENGTH
) -> dict[str, float]:
    """Document → its attraction, of every document that was shown."""
    rows = [(one, hit) for one in searches for hit in one.hits]
    names = sorted({hit.doc_id for _, hit in rows})
    place = {name: at for at, name in enumerate(names)}
    found = attractions(
        np.array([place[hit.doc_id] for _, hit in rows], np.int64),
        np.array([hit.rank for _, hit in rows], np.int64),
        np.array([one.deed(hit.doc_id).satisfied(one.refined) for one, hit in rows], bool),
        examination,
        len(names),
        strength,
    )
    return dict(zip(names, found.tolist(), strict=True))


_ESTIMATE: Mapping[Method, Callable[[Shows, int], Values]] = {
    "harvested": harvested,
    "weighed": weighed,
    "fitted": lambda shows, ranks: fitted(shows, ranks, rounds=200).examination,
}


def _shows(rows: Sequence[tuple[LoggedSearch, LoggedHit]]) -> tuple[Shows, Codes]:
    shows = Shows(
        pairs=_codes([f"{one.query}\0{one.at.date()}\0{hit.doc_id}" for one, hit in rows]),
        ranks=np.array([hit.rank for _, hit in rows], np.int64),
        clicked=np.array([one.deed(hit.doc_id).clicked for one, hit in rows], bool),
        propensities=np.array([1.0 if hit.propensity is None else hit.propensity for _, hit in rows]),
    )
    return shows, _codes([one.unit for one, _ in rows])


def _resampled(shows: Shows, units: Codes, rng: np.random.Generator) -> Shows:
    """As many units as there are, drawn with replacement."""
    order = np.argsort(units, kind="stable")
    starts = np.searchsorted(units[order], np.arange(int(units.max()) + 2))
    drawn = rng.integers(0, int(units.max()) + 1, int(units.max()) + 1)
    rows = np.concatenate([order[starts[unit] : starts[unit + 1]] for unit in drawn])
    pairs = dense(shows.pairs[rows])
    return Shows(pairs, shows.ranks[rows], shows.clicked[rows], shows.propensities[rows])


def _again(shows: Shows, ranks: int, method: Method) -> Values | None:
    """The estimate of a resample; None where it cannot be made."""
    try:
        return _ESTIMATE[method](shows, ranks)
    except ReplayError:
        return None


def _clicked(one: LoggedSearch, team: str) -> int:
    return sum(hit.team == team and one.deed(hit.doc_id).clicked for hit in one.hits)


def _codes(names: Sequence[str]) -> Codes:
    return np.unique(names, return_inverse=True)[1].astype(np.int64)
