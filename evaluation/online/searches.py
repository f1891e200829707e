"""The searches of one experiment: what every figure of it is computed from.

A row is one answered search. Units (people, sessions) were assigned, so units, not searches, are independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]
Words = NDArray[np.str_]

DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Searches:
    """The exposed searches of one version of an experiment, in any order.

    units: (n,) codes from 0 without gaps, U of them. arms: (n,) int8 places in the experiment's order of arms.
    at_s: (n,) seconds since 1970, UTC. metrics: (n,) values by name; NaN where one does not apply to a search.
    tags: (n,) words by name of the tag; "" = not known. before: (U,) what a unit's metric was on average before the
    experiment began, by name of the metric; NaN = the unit was not seen then.
    """

    units: Codes
    arms: NDArray[np.int8]
    at_s: Values
    metrics: Mapping[str, Values] = field(default_factory=dict)
    tags: Mapping[str, Words] = field(default_factory=dict)
    before: Mapping[str, Values] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = len(self.units)
        columns: dict[str, Sized] = {"arms": self.arms, "at_s": self.at_s, **self.metrics, **self.tags}
        for name, column in columns.items():
            if len(column) != rows:
                raise ValueError(f"{name}: {len(column)} values for {rows} searches")
        for name, values in self.before.items():
            if len(values) < self.unit_count:
                raise ValueError(f"before {name}: {len(values)} values for {self.unit_count} units")

    def __len__(self) -> int:
        return len(self.units)

    @property
    def unit_count(self) -> int:
        """U, the number of unit codes; 0 without searches."""
        return int(self.units.max()) + 1 if len(self.units) else 0

    def where(self, kept: Mask) -> Searches:
        """The searches of the (n,) mask, their units renumbered without gaps."""
        codes, units = np.unique(self.units[kept], return_inverse=True)
        return replace(
            self,
            units=units.astype(np.int64),
            arms=self.arms[kept],
            at_s=self.at_s[kept],
            metrics={name: values[kept] for name, values in self.metrics.items()},
            tags={name: words[kept] for name, words in self.tags.items()},
            before={name: values[codes] for name, values in self.before.items()},
        )

    def crossed(self) -> Mask:
        """(n,) whether a search is of a unit that was seen in more than one arm: such a unit belongs to none."""
        first = np.full(self.unit_count, np.iinfo(np.int8).max, np.int8)
        last = np.full(self.unit_count, -1, np.int8)
        np.minimum.at(first, self.units, self.arms)
        np.maximum.at(last, self.units, self.arms)
        return np.asarray((first != last)[self.units])

    def unit_arms(self) -> NDArray[np.int8]:
        """(U,) the arm of each unit; of a crossed unit, the last in order."""
        found = np.full(self.unit_count, -1, np.int8)
        np.maximum.at(found, self.units, self.arms)
        return found
