"""How large the gradients are and how much they still move: the stream by which one tells that training has settled.

One JSON object a line, in the order of the steps (`gradient.jsonl` beside the checkpoint):

    step            0-based
    norms           group → L2 norm of its gradient before clipping; groups are lora, gate, head
    grad_norm       L2 norm over the groups that a precision switch watches (lora and gate), smoothed
    grad_norm_std   standard deviation of `grad_norm` over the window; null until the window is full
    raw_norm, raw_norm_std   the same without smoothing

Smoothing is the exponential moving average with its start corrected (Adam's), so that early values are not drawn to 0.
"""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

WATCHED = ("lora", "gate")
"""The groups whose gradient tells whether the adapter has settled; the head alone moves to the end."""


@dataclass(frozen=True, slots=True)
class GradientReading:
    """The figures of one step; see the module for what they mean."""

    step: int
    norms: Mapping[str, float]
    grad_norm: float
    grad_norm_std: float | None
    raw_norm: float
    raw_norm_std: float | None

    def line(self) -> str:
        """The reading as one line of JSON, with its line end."""
        fields = {
            "step": self.step,
            "norms": {group: _rounded(norm) for group, norm in self.norms.items()},
            "grad_norm": _rounded(self.grad_norm),
            "grad_norm_std": _rounded(self.grad_norm_std),
            "raw_norm": _rounded(self.raw_norm),
            "raw_norm_std": _rounded(self.raw_norm_std),
        }
        return json.dumps(fields, separators=(",", ":")) + "\n"


class GradientMonitor:
    """Follows the norms over a sliding window of steps."""

    def __init__(self, window: int, decay: float) -> None:
        self._decay = decay
        self._average = 0.0
        self._weight = 0.0
        self._smoothed: deque[float] = deque(maxlen=window)
        self._raw: deque[float] = deque(maxlen=window)

    def observe(self, step: int, norms: Mapping[str, float]) -> GradientReading:
        """The reading after `step`. A group that is absent counts as 0."""
        raw = math.sqrt(sum(norms.get(group, 0.0) ** 2 for group in WATCHED))
        self._average = self._decay * self._average + (1.0 - self._decay) * raw
        self._weight = self._decay * self._weight + (1.0 - self._decay)
        smoothed = self._average / self._weight
        self._smoothed.append(smoothed)
        self._raw.append(raw)
        return GradientReading(step, dict(norms), smoothed, _spread(self._smoothed), raw, _spread(self._raw))

    def state(self) -> dict[str, object]:
        """What `restore` needs to go on as if nothing had happened."""
        return {
            "average": self._average,
            "weight": self._weight,
            "smoothed": list(self._smoothed),
            "raw": list(self._raw),
        }

    def restore(self, state: Mapping[str, object]) -> None:
        """Takes over what another monitor of the same window and decay had seen."""
        average, weight, smoothed, raw = (state[name] for name in ("average", "weight", "smoothed", "raw"))
        if not (
            isinstance(average, float)
            and isinstance(weight, float)
            and isinstance(smoothed, list)
            and isinstance(raw, list)
        ):
            raise TypeError("not the state of a gradient monitor")
        self._average, self._weight = average, weight
        self._smoothed = deque(smoothed, maxlen=self._smoothed.maxlen)
        self._raw = deque(raw, maxlen=self._raw.maxlen)


def _spread(window: deque[float]) -> float | None:
    """The sample standard deviation of a full window."""
    if len(window) < (window.maxlen or 0):
        return None
    mean = math.fsum(window) / len(window)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in window) / (len(window) - 1))


def _rounded(value: float | None) -> float | None:
    """Seven significant digits: enough for any reader, and the same text on the same machine."""
    return None if value is None else float(f"{value:.7g}")
