"""Experiments that never were: users with tastes of their own who come back, of whom the truth is known.

A unit joins on some day of the experiment, has a heavy-tailed number of searches from then on, and a taste: the chance
that a hit of a search of it is worth a click. A click falls on rank r with chance g (1 - g)^(r - 1). Treatment turns a
share of the searches without a click among the first five into one at rank 1, which raises click_mrr@5 by the lift
asked for, in expectation, exactly. The time before is that of the same tastes; newcomers have none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .searches import DAY_S, Searches

_METRIC = "click_mrr@5"


@dataclass(frozen=True, slots=True)
class World:
    """units: of all arms. shares: of the arms. lift: of every treatment. regulars: share of units seen before.

    taste: the two parameters of the Beta law. first: g above. tail: exponent of the law of searches per unit, of which
    one has at most `busiest`.
    """

    units: int
    days: int = 14
    shares: tuple[float, ...] = (0.5, 0.5)
    lift: float = 0.0
    regulars: float = 0.0
    taste: tuple[float, float] = (1.2, 1.8)
    first: float = 0.45
    tail: float = 2.4
    busiest: int = 40

    @property
    def unclicked(self) -> float:
        """The expected share of searches without a click among the first five hits, in control."""
        a, b = self.taste
        return 1 - a / (a + b) * (1 - (1 - self.first) ** 5)


def simulate(world: World, rng: np.random.Generator) -> Searches:
    """The searches of one experiment that began at second 0."""
    counts = np.minimum(rng.zipf(world.tail, world.units), world.busiest)
    taste = rng.beta(*world.taste, world.units)
    arm = rng.choice(len(world.shares), world.units, p=world.shares).astype(np.int8)
    joined = rng.random(world.units) * world.days
    codes = np.repeat(np.arange(world.units), counts)
    since = joined[codes] + rng.random(len(codes)) * (world.days - joined[codes])
    values = _values(world, taste[codes], rng)
    if world.lift:
        turned = rng.random(len(codes)) < world.lift / world.unclicked
        values = np.where((values == 0) & (arm[codes] > 0) & turned, 1.0, values)
    before = _before(world, taste, counts, rng)
    return Searches(
        units=codes.astype(np.int64),
        arms=arm[codes],
        at_s=since * DAY_S,
        metrics={_METRIC: values},
        before={} if before is None else {_METRIC: before},
    )


def _values(world: World, taste: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    rank = rng.geometric(world.first, len(taste))
    return np.where((rng.random(len(taste)) < taste) & (rank <= 5), 1.0 / rank, 0.0)


def _before(
    world: World, taste: np.ndarray, counts: np.ndarray, rng: np.random.Generator
) -> np.ndarray | None:
    """(U,) what the metric was for each unit on average; NaN of newcomers."""
    if not world.regulars:
        return None
    codes = np.repeat(np.arange(world.units), counts)
    total = np.bincount(codes, _values(world, taste[codes], rng), minlength=world.units)
    return np.where(rng.random(world.units) < world.regulars, total / counts, np.nan)
