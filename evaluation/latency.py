"""Stage durations as the percentiles people watch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

PERCENTILES = (50, 95, 99)


def latency_ms(stage_ms: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """Stage -> {"p50", "p95", "p99"} in milliseconds, stages as given; one that never ran is left out."""
    return {
        stage: {
            f"p{percentile}": float(value)
            for percentile, value in zip(PERCENTILES, np.percentile(durations, PERCENTILES), strict=True)
        }
        for stage, durations in stage_ms.items()
        if len(durations)
    }
