"""Whether the arms got the units they should have: the sample-ratio check.

An experiment whose arms hold other shares of units than was planned has lost units in one of them, and no lift of it
can be trusted. Fabijan et al., "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments" (KDD 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln
from scipy.stats import binomtest, chisquare

from .design import SRM_ALPHA
from .searches import Values

LEAST_EXPECTED = 5.0
_CONCENTRATION = 1_000.0
"""Of the mixture: shares that are off by some per cent of themselves are found soonest."""


@dataclass(frozen=True, slots=True)
class RatioCheck:
    """p: of one look. always_p: of all looks so far, right however often one looks. None: too few units to say.

    A p under 0.001 blocks the verdict. When a check is repeated daily, p alone crosses that line by chance more often
    than once in 1,000 experiments; always_p does not. `sure` says that it agrees.
    """

    units: tuple[int, ...]
    expected: tuple[float, ...]
    p: float | None
    always_p: float | None

    @property
    def mismatch(self) -> bool:
        """Whether the verdict is blocked."""
        return self.p is not None and self.p < SRM_ALPHA

    @property
    def sure(self) -> bool:
        """Whether there is a mismatch that no number of looks explains."""
        return self.mismatch and self.always_p is not None and self.always_p < SRM_ALPHA


def check_ratio(
    units: Sequence[int], shares: Sequence[float], earlier: Sequence[Sequence[int]] = ()
) -> RatioCheck:
    """The check of the (A,) units of the arms against their planned shares.

    earlier: the units at looks before this one, for always_p.
    """
    observed = np.asarray(units, np.float64)
    planned = np.asarray(shares, np.float64)
    expected = observed.sum() * planned
    looks = np.array([*earlier, units], np.float64)
    return RatioCheck(
        tuple(int(count) for count in units),
        tuple(float(count) for count in expected),
        _p(observed, planned),
        None if observed.sum() == 0 else float(always_valid(looks, planned).min()),
    )


def _p(observed: Values, shares: Values) -> float | None:
    """Pearson's chi-square; exact binomial where too few are expected for it and there are two arms."""
    total = observed.sum()
    if total == 0:
        return None
    if (shares == 0).any():  # units in an arm that should have none cannot be chance
        if observed[shares == 0].any():
            return 0.0
        observed, shares = observed[shares > 0], shares[shares > 0]
        if len(shares) == 1:
            return 1.0
    if (total * shares).min() >= LEAST_EXPECTED:
        return float(chisquare(observed, total * shares).pvalue)
    if len(shares) == 2:
        return float(binomtest(int(observed[0]), int(total), float(shares[0])).pvalue)
    return None


def always_valid(looks: Values, shares: Values) -> Values:
    """(L,) p of each look at (L, A) units, valid at the least of them: 1 / the odds against the planned shares.

    The odds are those of a Dirichlet mixture around the plan, a martingale while the plan holds (Ville's inequality).
    Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data" (NeurIPS 2022).
    """
    if (shares == 0).any():
        wrong = looks[:, shares == 0].any(axis=1)
        return np.asarray(np.where(wrong, 0.0, 1.0))
    prior = _CONCENTRATION * shares
    total = looks.sum(axis=1)
    mixed = gammaln(prior.sum()) - gammaln(prior.sum() + total)
    mixed = mixed + (gammaln(prior + looks) - gammaln(prior)).sum(axis=1)
    return np.asarray(np.minimum(1.0, np.exp(np.minimum(0.0, (looks * np.log(shares)).sum(axis=1) - mixed))))
