"""Whether a log can answer at all: how many rows really count, whether it has shown what is asked about.

A refusal stands in place of figures; a warning beside them. The thresholds are the constants below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .clustered import dense, draws, sums_by
from .consistency import contradiction
from .decisions import Decisions

LEAST_EFFECTIVE = 100.0
LEAST_EFFECTIVE_SHARE = 0.01
LOW_EFFECTIVE_SHARE = 0.10
MOST_UNSEEN = 0.05
LEAST_REWARDED = 10
LEAST_UNITS = 20
HEAVY_SHARE = 0.10
_RESAMPLES = 500


@dataclass(frozen=True, slots=True)
class Health:
    """effective: Kish's size (Σw)² / Σw², the number of rows of equal weight that would say as much.

    mean_weight: 1 on average when everything the other policy does was sometimes done, with its 95 % interval.
    unseen: the share of the other policy's doings that the log never did; None where it cannot be known.
    refusal: why no figure is given; None where one is.
    """

    rows: int
    searches: int
    units: int
    rewarded: int
    effective: float
    mean_weight: float
    mean_weight_ci: tuple[float, float]
    max_weight: float
    unseen: float | None
    warnings: tuple[str, ...]
    refusal: str | None


def effective_size(weights: np.typing.NDArray[np.float64]) -> float:
    """(Σw)² / Σw² of (n,) weights; 0 when all are 0."""
    squares = float((weights**2).sum())
    return float(weights.sum()) ** 2 / squares if squares else 0.0


def examine(decisions: Decisions, rng: np.random.Generator, unseen: float | None = None) -> Health:
    """The health of a log for one question."""
    weights = decisions.weights
    effective = effective_size(weights)
    mean, interval = _mean_weight(decisions, rng)
    units = len(np.unique(decisions.units))
    rewarded = int((decisions.rewards > 0).sum())
    refusal = next(_refusals(decisions, effective, mean, interval, rewarded, unseen), None)
    return Health(
        rows=len(weights),
        searches=decisions.searched,
        units=units,
        rewarded=rewarded,
        effective=effective,
        mean_weight=mean,
        mean_weight_ci=interval,
        max_weight=float(weights.max()),
        unseen=unseen,
        warnings=tuple(_warnings(decisions, effective, mean, interval, rewarded, units)),
        refusal=refusal,
    )


def _mean_weight(decisions: Decisions, rng: np.random.Generator) -> tuple[float, tuple[float, float]]:
    units = dense(decisions.units)
    one_place = np.zeros(len(units), np.int64)
    weights = sums_by(units, one_place, decisions.weights)[:, 0]
    rows = sums_by(units, one_place, np.ones(len(units)))[:, 0]
    means = [counts @ weights / (counts @ rows) for counts in draws(len(rows), _RESAMPLES, rng)]
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return float(weights.sum() / rows.sum()), (float(low), float(high))


def _refusals(
    decisions: Decisions,
    effective: float,
    mean: float,
    interval: tuple[float, float],
    rewarded: int,
    unseen: float | None,
) -> Iterator[str]:
    rows = len(decisions.rewards)
    if (wrong := contradiction(decisions)) is not None:
        yield f"the logged chances contradict what was shown: {wrong}"
    if effective == 0:
        yield "no overlap: the other system puts nothing where the log has it"
    least = max(LEAST_EFFECTIVE, LEAST_EFFECTIVE_SHARE * rows)
    if effective < least:
        yield (
            f"the effective sample size is {effective:.0f} of {rows} rows, under the {least:.0f} that are needed: "
            f"a few rows of high weight (up to {decisions.weights.max():.3g}) would decide"
        )
    if unseen is not None and unseen > MOST_UNSEEN:
        yield f"no overlap: {unseen:.0%} of what the other system does was never done in the log"
    if interval[1] < 1 - MOST_UNSEEN:
        yield (
            f"no overlap: about {1 - mean:.0%} of what the other system does could not be shown in the log "
            f"(mean weight {mean:.2f}, 95 % {interval[0]:.2f} to {interval[1]:.2f}, where 1 is expected)"
        )
    if interval[0] > 1 + MOST_UNSEEN:
        yield (
            f"the logged chances are too small: weights average {mean:.2f} "
            f"(95 % {interval[0]:.2f} to {interval[1]:.2f}), where 1 is expected"
        )
    if not rewarded:
        yield "nothing was rewarded in the log, so there is nothing to weigh"


def _warnings(
    decisions: Decisions,
    effective: float,
    mean: float,
    interval: tuple[float, float],
    rewarded: int,
    units: int,
) -> Iterator[str]:
    rows = len(decisions.rewards)
    if effective < LOW_EFFECTIVE_SHARE * rows:
        yield f"only {100 * effective / rows:.2g}% of the rows really count (effective sample size {effective:.0f})"
    if not interval[0] <= 1 <= interval[1]:
        yield f"weights average {mean:.2f}, where 1 is expected: some of what the other system does is hardly logged"
    if 0 < rewarded < LEAST_REWARDED:
        yield f"only {rewarded} rows were rewarded: an interval of so few is of little worth"
    earned = decisions.weights * decisions.rewards
    if earned.sum() > 0 and earned.max() > HEAVY_SHARE * earned.sum():
        yield f"a single row gives {earned.max() / earned.sum():.0%} of the value"
    if units < LEAST_UNITS:
        yield f"only {units} units: the interval is likely too narrow"
