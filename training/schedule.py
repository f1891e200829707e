"""The learning rate over the steps: linear warm-up, then half a cosine."""

from __future__ import annotations

import math


def rate_factor(step: int, steps: int, warmup_share: float, floor_share: float) -> float:
    """The factor in (0, 1] on the top learning rate for the 0-based `step` of `steps`.

    It rises linearly over the first `warmup_share` of the steps, reaches 1 and falls to `floor_share` at the last.
    """
    warmup = round(steps * warmup_share)
    if step < warmup:
        return (step + 1) / (warmup + 1)
    ahead = max(steps - 1 - warmup, 1)
    share = min((step - warmup) / ahead, 1.0)
    return floor_share + (1.0 - floor_share) * 0.5 * (1.0 + math.cos(math.pi * share))
