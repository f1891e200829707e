"""Which lists of a step have their activations in memory at once."""

from __future__ import annotations

from collections.abc import Sequence


def groups(lengths: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    """The lists of a step, by position, in groups whose tokens together do not exceed `budget`.

    `lengths` has the tokens of each pair of each list. A list is never cut, as its loss needs all of its logits: one
    that is larger than the budget is a group of its own. Lists of like length share a group.
    """
    order = sorted(range(len(lengths)), key=lambda at: (max(lengths[at], default=0), at))
    found: list[list[int]] = []
    filled = budget + 1
    for at in order:
        cost = sum(lengths[at])
        if filled + cost > budget:
            found.append([])
            filled = 0
        found[-1].append(at)
        filled += cost
    return found
