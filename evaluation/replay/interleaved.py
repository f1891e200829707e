"""Which of two mixed systems users prefer: clicks credited to the team that picked the hit, tested by unit.

A search is won by the team with more credited clicks; equal searches say nothing of the preference (Chapelle et al.,
TOIS 2012). Units are drawn whole for the interval, and whole units change sides in the test: under no preference it
is a coin which team is called a.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.significance import RESAMPLES, randomisation_p

from .clustered import dense, draws
from .decisions import Codes, ReplayError, Values

LEAST_DECIDED = 20


@dataclass(frozen=True, slots=True)
class Preference:
    """wins_a, wins_b: searches. preference: (wins_a − wins_b) / both, from -1 to 1, with its 95 % interval; p: of none.

    warning: why the figures are of little worth, where they are.
    """

    searches: int
    units: int
    wins_a: int
    wins_b: int
    preference: float
    low: float
    high: float
    p: float
    warning: str | None

    @property
    def verdict(self) -> str:
        """One plain sentence."""
        decided = self.wins_a + self.wins_b
        told = f"{self.wins_a} of {decided} decided searches for a, {self.wins_b} for b (p {self.p:.3g})"
        if self.p >= 0.05 or self.low <= 0 <= self.high:
            return f"no preference can be told: {told}"
        return f"users prefer {'a' if self.preference > 0 else 'b'}: {told}"


def preference(
    units: Codes, clicks_a: NDArray[np.int64], clicks_b: NDArray[np.int64], rng: np.random.Generator
) -> Preference:
    """The preference over n searches: who searched, and how many clicks each team was credited with, all (n,).

    Raises ReplayError where no search was decided.
    """
    sign = np.sign(clicks_a - clicks_b)
    decided = sign != 0
    if not decided.any():
        raise ReplayError("no search was decided: neither team was clicked more often in any")
    unit = dense(units)
    wins = np.bincount(unit, sign > 0).astype(np.float64)
    losses = np.bincount(unit, sign < 0).astype(np.float64)
    value = _ratio(wins.sum(keepdims=True), losses.sum(keepdims=True))[0]
    drawn = [_ratio(counts @ wins, counts @ losses) for counts in draws(len(wins), RESAMPLES // 5, rng)]
    low, high = np.nanquantile(np.concatenate(drawn), (0.025, 0.975))
    voices = int((wins + losses > 0).sum())
    few = voices < LEAST_DECIDED
    return Preference(
        searches=len(sign),
        units=len(wins),
        wins_a=int(wins.sum()),
        wins_b=int(losses.sum()),
        preference=float(value),
        low=min(float(low), float(value)),
        high=max(float(high), float(value)),
        p=randomisation_p(wins - losses, rng),
        warning=f"only {voices} units decided anything" if few else None,
    )


def _ratio(wins: Values, losses: Values) -> Values:
    """(wins − losses) / both; NaN where nothing was decided."""
    both = wins + losses
    return np.divide(wins - losses, both, out=np.full_like(both, np.nan), where=both > 0)
