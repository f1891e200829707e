"""Differences between two arms, made narrower by what their units did before the experiment (CUPED).

Deng, Xu, Kohavi and Walker, "Improving the Sensitivity of Online Controlled Experiments by Utilizing Pre-Experiment
Data" (WSDM 2013). A ratio is adjusted through what each unit moves it by; a unit that was not seen before counts as
average, and whether it was seen is a second covariate, since newcomers and regulars differ. Neither depends on the arm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .ratio import Mean, Sums, mean, residuals
from .searches import Values

LEAST_KNOWN = 30
"""Units of each arm with a past, below which nothing is adjusted."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Difference:
    """Treatment minus control at each look (...,). variance: of delta. freedom: degrees, after Welch-Satterthwaite."""

    control: Mean
    treatment: Mean
    delta: Values
    variance: Values

    @property
    def freedom(self) -> Values:
        """Degrees of freedom of the variance; 1 where it is not known."""
        parts = self.control.variance, self.treatment.variance
        with np.errstate(invalid="ignore", divide="ignore"):
            below = sum(
                part**2 / (one.units - 1)
                for part, one in zip(parts, (self.control, self.treatment), strict=True)
            )
            found = (parts[0] + parts[1]) ** 2 / below
        return np.asarray(np.where(np.isfinite(found), np.maximum(found, 1.0), 1.0))


def difference(control: Sums, treatment: Sums) -> Difference:
    """The plain difference of the means per search."""
    first, second = mean(control), mean(treatment)
    delta = second.value - first.value
    alike = np.abs(delta) <= _ROUNDING * np.maximum(np.abs(first.value), np.abs(second.value))
    return Difference(first, second, np.where(alike, 0.0, delta), first.variance + second.variance)


def adjusted(control: Sums, treatment: Sums, control_before: Values, treatment_before: Values) -> Difference:
    """The difference less what the (U,) values of the time before foretell of it.

    It is `difference` where fewer than 30 units of an arm have a past, and where the past foretells nothing.
    """
    plain = difference(control, treatment)
    covariates = _covariates(np.concatenate([control_before, treatment_before]))
    split = len(control_before)
    sides = [
        _Side.of(sums, covariates[part])
        for sums, part in ((control, slice(split)), (treatment, slice(split, None)))
    ]
    gram = sides[0].gram + sides[1].gram
    slope = (
        np.linalg.pinv(gram, rcond=1e-10, hermitian=True) @ (sides[0].moment + sides[1].moment)[..., None]
    )[..., 0]
    enough = np.minimum(sides[0].known, sides[1].known) >= LEAST_KNOWN
    slope = np.where(enough[..., None], slope, 0.0)
    shift = (slope * (sides[1].average - sides[0].average)).sum(axis=-1)
    variance = sides[0].variance(slope) + sides[1].variance(slope)
    usable = enough & np.isfinite(variance) & (plain.variance > 0)
    return Difference(
        plain.control,
        plain.treatment,
        np.where(usable, plain.delta - shift, plain.delta),
        np.where(usable, variance, plain.variance),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """One arm at each look: units that are present, what each moves the mean by, and its centred covariates."""

    moves: Values
    centred: Values
    average: Values
    units: Values
    known: Values

    @classmethod
    def of(cls, sums: Sums, covariates: Values) -> _Side:
        present = (sums.count > 0).astype(np.float64)
        units = present.sum(axis=-1)
        average = present @ covariates / np.maximum(units, 1.0)[..., None]
        centred = (covariates - average[..., None, :]) * present[..., None]
        moves = np.nan_to_num(residuals(sums)) * units[..., None]
        return cls(moves, centred, average, units, present @ covariates[:, 1])

    @property
    def gram(self) -> Values:
        return np.asarray(np.swapaxes(self.centred, -1, -2) @ self.centred)

    @property
    def moment(self) -> Values:
        return np.asarray((np.swapaxes(self.centred, -1, -2) @ self.moves[..., None])[..., 0])

    def variance(self, slope: Values) -> Values:
        """Of the adjusted mean."""
        left = self.moves - (self.centred @ slope[..., None])[..., 0]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((left**2).sum(axis=-1) / (self.units * (self.units - 1)))


def _covariates(before: Values) -> Values:
    """(U, 2) the past of each unit, standardised and 0 where it is not known; and whether it is known."""
    known = np.isfinite(before)
    values = np.where(known, before, 0.0)
    if known.any():
        values = np.where(known, values - before[known].mean(), 0.0)
        spread = values[known].std()
        # A past in which all were alike foretells nothing; what is left of it is rounding.
        scale = np.abs(before[known]).max()
        values = values / spread if spread > _ROUNDING * scale else np.zeros(len(before))
    return np.stack([values, known.astype(np.float64)], axis=1)
