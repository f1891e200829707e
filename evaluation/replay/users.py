"""Simulated users whose way of clicking is written down, for tests and for trials of what is learned from clicks.

A user reads a page of grades (0-3) from the top. Two models, both of the kind that is fitted to real logs
(Chuklin, Markov and de Rijke, Click Models for Web Search, 2015):

    PositionBased   looks at rank k with chance k^-steepness, whatever the hits above were; a hit that is looked at is
                    clicked with the attraction of its grade. Clicks of one page are independent.
    Cascade         looks at the hits one by one; clicks what attracts; after a click is satisfied, and leaves, with the
                    satisfaction of the grade; goes on after each hit with chance `patience`.

    attraction of grade g    noise + (1 − noise) · (2^g − 1) / 7        (Ai et al., SIGIR 2018; noise 0.1)
    dwell on a clicked hit   log-normal, median 5, 12, 40, 90 seconds for grades 0 to 3, sigma 0.8
    applies after a click    with chance 0, 0.01, 0.08, 0.25

No person is like this. What holds for these users holds for their assumptions, and is a beginning for real ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .decisions import Values

Grades = NDArray[np.int64]
Flags = NDArray[np.bool_]

HIGHEST_GRADE = 3
_DWELL_MEDIAN_MS = np.array([5_000.0, 12_000.0, 40_000.0, 90_000.0])
_DWELL_SIGMA = 0.8
_APPLIES = np.array([0.0, 0.01, 0.08, 0.25])
_SATISFIES = np.array([0.05, 0.2, 0.6, 0.9])


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What n users did on pages of k hits, all (n, k). dwell_ms: NaN where nothing was clicked."""

    clicked: Flags
    dwell_ms: Values
    applied: Flags


class Users(Protocol):
    """A way of reading a page."""

    def browse(self, grades: Grades, rng: np.random.Generator) -> Behaviour:
        """What one user does on each page; grades: (n, k), best rank first, 0-3; -1 where a page has no hit."""


@dataclass(frozen=True, slots=True)
class PositionBased:
    """See the module. steepness: 0 = every rank is looked at."""

    steepness: float = 1.0
    noise: float = 0.1

    def examination(self, ranks: int) -> Values:
        """(ranks,) the chance that each rank is looked at; 1 at the first."""
        return np.asarray(np.arange(1, ranks + 1) ** -self.steepness)

    def browse(self, grades: Grades, rng: np.random.Generator) -> Behaviour:
        """What one user does on each page."""
        chance = self.examination(grades.shape[1]) * attraction(grades, self.noise)
        return _followed(rng.random(grades.shape) < chance, grades, rng)


@dataclass(frozen=True, slots=True)
class Cascade:
    """See the module."""

    patience: float = 0.85
    noise: float = 0.1

    def browse(self, grades: Grades, rng: np.random.Generator) -> Behaviour:
        """What one user does on each page."""
        clicked = np.zeros(grades.shape, bool)
        reading = np.ones(len(grades), bool)
        for at in range(grades.shape[1]):
            grade = grades[:, at]
            clicked[:, at] = reading & (rng.random(len(grades)) < attraction(grade, self.noise))
            satisfied = clicked[:, at] & (rng.random(len(grades)) < _SATISFIES[np.maximum(grade, 0)])
            reading &= ~satisfied & (rng.random(len(grades)) < self.patience)
        return _followed(clicked, grades, rng)


def attraction(grades: Grades, noise: float) -> Values:
    """The chance that a hit of each grade is clicked by who looks at it; 0 where there is no hit."""
    chance = noise + (1 - noise) * (np.exp2(grades) - 1) / (2**HIGHEST_GRADE - 1)
    return np.where(grades < 0, 0.0, chance)


def _followed(clicked: Flags, grades: Grades, rng: np.random.Generator) -> Behaviour:
    known = np.maximum(grades, 0)
    dwell_ms = _DWELL_MEDIAN_MS[known] * np.exp(_DWELL_SIGMA * rng.standard_normal(grades.shape))
    applied = clicked & (rng.random(grades.shape) < _APPLIES[known])
    return Behaviour(clicked, np.where(clicked, dwell_ms, np.nan), applied)
