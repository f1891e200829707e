"""Intervals and p values that hold however often one looks, and stop whenever one likes.

An estimate d with variance v tests the effect t by the likelihood ratio of "normal around t" against a mixture of
effects N(t, m²), m the effect of interest:

    Λ = sqrt(v / (v + m²)) · exp((d - t)² m² / (2 v (v + m²)))

While t is true Λ is a non-negative martingale of mean 1, so by Ville's inequality it ever exceeds 1/α with probability
at most α. Hence p = 1/Λ, of which the least so far counts, and the confidence sequence of every t that is not rejected:

    d ± sqrt(v (v + m²) / m² · (2 ln(1/α) + ln((v + m²) / v)))

Robbins, Annals of Mathematical Statistics 41 (1970), for the mixture; Johari, Koomen, Pekelis and Walsh, "Always Valid
Inference: Continuous Monitoring of A/B Tests", Operations Research 70 (2022), for its use (the mSPRT);
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", Annals of Statistics 52 (2024), for the same with an estimated variance (their ρ² is m² per unit of
variance).
Units come back, so looks at their sums are not exactly a martingale: tests/evaluation/online shows by simulation what
error remains.
"""

from __future__ import annotations

import numpy as np

from .searches import Values

LEAST_UNITS = 100
"""Of each arm, before a sequential p is spoken: the normal law must have set in."""


def log_odds(difference: Values, variance: Values, mixing: float, effect: float = 0.0) -> Values:
    """Ln Λ against the true effect `effect`, elementwise; 0 where the variance is not known.

    Without any variance the difference is known: inf, or 0 where it is `effect`.
    """
    known = np.isfinite(variance) & np.isfinite(difference)
    varies = known & (variance > 0)
    safe = np.where(varies, variance, 1.0)
    gap = np.where(known, difference - effect, 0.0)
    both = safe + mixing**2
    found = 0.5 * np.log(safe / both) + (gap * mixing) ** 2 / (2 * safe * both)
    return np.asarray(np.where(varies, found, np.where(gap == 0, 0.0, np.inf)))


def always_p(difference: Values, variance: Values, mixing: float) -> Values:
    """P of each look by itself, elementwise; the least of the looks so far is the always-valid one."""
    return np.asarray(np.exp(-np.maximum(0.0, log_odds(difference, variance, mixing))))


def margin(variance: Values, mixing: float, alpha: float) -> Values:
    """Half the width of the confidence sequence, elementwise; inf where the variance is not known, 0 where it is 0."""
    known = np.isfinite(variance) & (variance > 0)
    safe = np.where(known, variance, 1.0)
    both = safe + mixing**2
    wide = np.sqrt(safe * both / mixing**2 * (2 * np.log(1 / alpha) + np.log(both / safe)))
    return np.asarray(np.where(known, wide, np.where(variance == 0, 0.0, np.inf)))
