"""How well a record answers a need on a day: a grade from 0 (of no use) to 3 (exactly this, and one can still apply).

The logic of the judging guide as rules: what the award is (`suitability`), whether one can still apply (`standing`),
and here both together. Grades between the whole ones are shades. Pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from training.synthesis.facts import Facts
from training.synthesis.need import Need
from training.synthesis.standing import standing
from training.synthesis.suitability import suitability

_GOOD, _EXACT = 2.0, 3.0
# Below this standing the award cannot be applied for.
_OVER = 1.5


def grade(need: Need, facts: Facts, rounds: Sequence[Facts], as_of: datetime) -> float:
    """0 to 3 in steps of 0.1: the award's fit, held down by what time leaves of it."""
    return together(
        suitability(need, facts), standing(facts, rounds, as_of, need.intent, named=bool(need.names))
    )


def together(suits: float, stands: float) -> float:
    """The grade of an award that suits so well and stands so: the first, never above the second by much.

    What is over is related at best, and what only half suits is of less use still once it is over.
    """
    if stands < _OVER:
        held = min(suits, stands) if suits >= _GOOD else suits * stands / _EXACT
    else:
        held = suits * (1.0 - 0.5 * (_EXACT - stands) / _EXACT)
        held = min(held, stands)
    return round(held, 1)
