"""The curves of a run as one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from training.journal import records
from training.loop import GRADIENT, LOG, VALIDATION

_SMOOTHED_SHARE = 0.05
"""Of the steps, how many the thick line of the loss averages over."""
_FAINT, _STRONG = 0.25, 1.0


def draw_curves(folder: Path, out: Path) -> None:
    """Writes the picture of the records in `folder` to `out`, a PNG; the same bytes for the same records."""
    log, gradient, validation = (records(folder / name) for name in (LOG, GRADIENT, VALIDATION))
    figure = Figure(figsize=(9.0, 6.0), dpi=120, layout="constrained")
    axes = figure.subplots(2, 2)
    _loss(axes[0, 0], log)
    _rate(axes[0, 1], log)
    _gradient(axes[1, 0], gradient)
    _validation(axes[1, 1], validation)
    for panel in axes.flat:
        panel.set_xlabel("step")
        panel.grid(color="0.9", linewidth=0.7)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
        if panel.get_legend_handles_labels()[0]:
            panel.legend(frameon=False, fontsize=8)
    figure.savefig(out, metadata={"Software": None})


def _loss(axes: Axes, log: Sequence[dict[str, object]]) -> None:
    steps, losses = _column(log, "step"), _column(log, "loss")
    axes.set_title("loss", fontsize=10)
    axes.plot(steps, losses, color="C0", alpha=_FAINT)
    width = max(int(len(losses) * _SMOOTHED_SHARE), 1)
    if len(losses) >= width > 1:
        smooth = np.convolve(losses, np.full(width, 1.0 / width), mode="valid")
        axes.plot(steps[width - 1 :], smooth, color="C0", label=f"mean of {width} steps")


def _rate(axes: Axes, log: Sequence[dict[str, object]]) -> None:
    axes.set_title("share of the highest learning rate", fontsize=10)
    axes.plot(_column(log, "step"), _column(log, "rate_factor"), color="C1", alpha=_STRONG)


def _gradient(axes: Axes, gradient: Sequence[dict[str, object]]) -> None:
    axes.set_title("norm of the gradient", fontsize=10)
    steps = _column(gradient, "step")
    axes.plot(steps, _column(gradient, "raw_norm"), color="C2", alpha=_FAINT)
    axes.plot(steps, _column(gradient, "grad_norm"), color="C2", label="grad_norm")
    axes.plot(steps, _column(gradient, "grad_norm_std"), color="C3", label="grad_norm_std")


def _validation(axes: Axes, validation: Sequence[dict[str, object]]) -> None:
    axes.set_title("validation", fontsize=10)
    steps = _column(validation, "step")
    axes.plot(steps, _column(validation, "mrr5"), "o-", color="C0", markersize=3, label="MRR@5")
    axes.plot(steps, _column(validation, "ndcg10"), "o-", color="C4", markersize=3, label="nDCG@10")


def _column(lines: Sequence[dict[str, object]], name: str) -> np.typing.NDArray[np.float64]:
    """(n,) of one field; NaN, which is not drawn, where it is null."""
    return np.array([line[name] for line in lines], dtype=np.float64)
