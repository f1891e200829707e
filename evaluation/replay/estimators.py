"""What another policy would have earned, per search, from a log of chances: estimates with intervals.

With w = target / propensity, r the reward, q the reward that a model foretells (never having seen the row):

    ips       mean of w·r; right on average when the log can answer, wide when weights are uneven
    snips     Σ w·r / Σ w within each place (Swaminathan and Joachims, NeurIPS 2015): narrower, a little biased
    clipped   ips with weights cut at a cap (Ionides, 2008; Bottou et al., JMLR 2013); the bias it brings is told
    dr        what q foretells of the other policy, plus w·(r − q) (Dudík, Langford and Li, ICML 2011): right when
              either the chances or the model are
    switch    dr that trusts the model alone where w is above the cap (Wang, Agarwal and Dudík, ICML 2017)

Intervals are percentiles of a bootstrap that draws whole units. The model and the other policy are held fixed in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .clustered import dense, draws, sums_by
from .decisions import Decisions, Values

RESAMPLES = 2_000
CONFIDENCE = 0.95
SERVED = "served"
"""What the logging policy itself earned, told beside the estimates."""


@dataclass(frozen=True, slots=True)
class Lift:
    """How much more than what was served, with its 95 % interval over the same draws of units."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value per search with its 95 % interval; `note` says what bias it brings, where it does."""

    name: str
    value: float
    low: float
    high: float
    lift: Lift
    note: str = ""


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a reward model says, of each row: (n,) of what was put there, (n,) of what the other policy would put."""

    logged: Values
    target: Values


@dataclass(frozen=True, slots=True)
class _Parts:
    """A statistic as sums by unit (U, S): Σ over places of numerator · share / denominator."""

    numerator: Values
    denominator: Values | None = None


def usual_cap(decisions: Decisions) -> float:
    """The cap on weights when nobody chose one: the square root of the number of rows (Ionides, 2008)."""
    return float(np.sqrt(len(decisions.rewards)))


def estimates(
    decisions: Decisions,
    rng: np.random.Generator,
    foretold: Foretold | None = None,
    cap: float | None = None,
    resamples: int = RESAMPLES,
) -> tuple[Estimate, ...]:
    """What was served, then every estimate in the order of the table above; dr and switch where a model foretells."""
    weights, rewards = decisions.weights, decisions.rewards
    cap = usual_cap(decisions) if cap is None else cap
    units, places = dense(decisions.units), dense(decisions.places)

    def by_unit(values: Values) -> Values:
        return sums_by(units, places, values)

    parts = {
        SERVED: _Parts(by_unit(rewards)),
        "ips": _Parts(by_unit(weights * rewards)),
        "snips": _Parts(by_unit(weights * rewards), by_unit(weights)),
        "clipped": _Parts(by_unit(np.minimum(weights, cap) * rewards)),
    }
    if foretold is not None:
        missed = rewards - foretold.logged
        trusted = np.where(weights <= cap, weights, 0.0)
        parts["dr"] = _Parts(by_unit(foretold.target + weights * missed))
        parts["switch"] = _Parts(by_unit(foretold.target + trusted * missed))
    notes = {"clipped": _clip_note(decisions, cap), "switch": _switch_note(weights, cap)}
    _, first = np.unique(decisions.searches, return_index=True)
    searched = np.bincount(units[first], minlength=int(units.max()) + 1).astype(np.float64)
    rows = by_unit(np.ones(len(rewards)))
    return _with_intervals(parts, rows, searched, notes, rng, resamples)


def _with_intervals(
    parts: Mapping[str, _Parts],
    rows: Values,
    searched: Values,
    notes: Mapping[str, str],
    rng: np.random.Generator,
    resamples: int,
) -> tuple[Estimate, ...]:
    once = np.ones((1, len(searched)))
    drawn: dict[str, list[Values]] = {name: [] for name in parts}
    for counts in draws(len(searched), resamples, rng):
        for name, part in parts.items():
            drawn[name].append(_values(part, rows, searched, counts))
    own = {name: float(_values(part, rows, searched, once)[0]) for name, part in parts.items()}
    whole = {name: np.concatenate(blocks) for name, blocks in drawn.items()}
    return tuple(
        Estimate(
            name,
            value,
            *_percentiles(whole[name], value),
            lift=Lift(value - own[SERVED], *_percentiles(whole[name] - whole[SERVED], value - own[SERVED])),
            note=notes.get(name, ""),
        )
        for name, value in own.items()
    )


def _percentiles(drawn: Values, value: float) -> tuple[float, float]:
    """The interval, which holds the value itself even where sums in another order differ in the last bit."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return min(float(low), value), max(float(high), value)


def _values(part: _Parts, rows: Values, searched: Values, counts: Values) -> Values:
    """(b,) the statistic of each row of `counts` (b, U)."""
    total = counts @ searched
    numerator = counts @ part.numerator
    if part.denominator is None:
        return np.asarray(numerator.sum(axis=1) / total)
    denominator = counts @ part.denominator
    # A place that the other policy never fills in this draw says nothing; it counts 0, as it does in ips.
    normalised = np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)
    return np.asarray((counts @ rows / total[:, None] * normalised).sum(axis=1))


def _clip_note(decisions: Decisions, cap: float) -> str:
    """How much of the other policy's traffic the cap leaves out, and how much too low that can make the value."""
    weights = decisions.weights
    lost = float(np.maximum(weights - cap, 0.0).sum() / decisions.searched)
    if lost == 0:
        return f"no weight is above {cap:.3g}"
    most = lost * max(float(decisions.rewards.max()), 0.0)
    return (
        f"weights above {cap:.3g} are cut: {lost:.3g} places a search are left out, "
        f"so it can be too low by up to {most:.3g}"
    )


def _switch_note(weights: Values, cap: float) -> str:
    share = float((weights > cap).mean())
    return (
        ""
        if share == 0
        else f"the model alone speaks for the {share:.1%} of rows with weights above {cap:.3g}"
    )
