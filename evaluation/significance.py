"""How far chance alone would carry a figure: intervals, paired tests, and the price of many comparisons.

Queries are the unit: they are what a test set samples. Every function takes its own generator, so the
same seed gives the same figures, and systems compared under one seed see the same resampled queries.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap

Values = NDArray[np.float64]

RESAMPLES = 10_000
CONFIDENCE = 0.95
# Resampled values held at once; bounds memory to some tens of megabytes whatever the size of the set.
BLOCK = 4_000_000


def intervals(
    values: Values,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Values:
    """(m, 2) bootstrap percentile intervals of the means of (m, n) values, n queries of m metrics.

    All rows share each resample of queries. One query alone shows no spread: its interval is its value.
    Reference: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    rows, queries = values.shape
    if queries == 1:
        return np.repeat(values, 2, axis=1)
    found = bootstrap(
        (values,),
        np.mean,
        axis=-1,
        vectorized=True,
        method="percentile",
        n_resamples=resamples,
        confidence_level=confidence,
        batch=max(1, BLOCK // (rows * queries)),
        rng=rng,
    ).confidence_interval
    # Sums in another order differ in the last bit: without spread, the mean would fall outside by that bit.
    mean = values.mean(axis=1)
    return np.stack([np.minimum(found.low, mean), np.maximum(found.high, mean)], axis=1)


def randomisation_p(differences: Values, rng: np.random.Generator, resamples: int = RESAMPLES) -> float:
    """Two-sided p of the paired randomisation test: were the systems the same, signs would be coin flips.

    differences: (n,) per query, one system minus the other. p = (1 + c) / (1 + resamples), where c counts
    the flips whose mean lies as far from 0 as the observed one; the observed labelling is one of the flips,
    so p is never 0. Reference: Smucker, Allan and Carterette, CIKM 2007.
    """
    moved = differences[differences != 0]  # queries that tie add nothing, whichever way they flip
    if not len(moved):
        return 1.0
    observed = abs(moved.sum())
    # Sums of the same numbers in another order differ in the last bits; those flips are ties and count.
    threshold = observed - 1e-12 * np.abs(moved).sum()
    extreme = 0
    block = max(1, BLOCK // len(moved))
    for start in range(0, resamples, block):
        flips = rng.integers(0, 2, (min(block, resamples - start), len(moved)), dtype=np.int8)
        extreme += int((np.abs((2.0 * flips - 1.0) @ moved) >= threshold).sum())
    return (1 + extreme) / (1 + resamples)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values after Holm's step-down adjustment, in the order given.

    Reject those under alpha, and the chance of even one false rejection among them all stays under alpha.
    Reference: Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    order = sorted(range(len(p_values)), key=lambda position: p_values[position])
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for done, position in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - done) * p_values[position]))
        adjusted[position] = running
    return adjusted
