"""A replayed record as one picture: rung, traffic, gradient, latency and agreement over the same time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from models.rung import RUNGS

from .replaying import Replayed, Series

_MOST_POINTS = 4000
_RUNG_COLOURS = {"fp16": "#3b6ea5", "int8": "#d98c2b", "int4": "#a3423c"}


def draw(record: Replayed, out: Path, title: str) -> None:
    """Writes the picture to `out`, a PNG; the same bytes for the same record."""
    figure = Figure(figsize=(10.0, 9.0), dpi=120, layout="constrained")
    panels = figure.subplots(5, 1, sharex=True, height_ratios=[1.1, 1, 1, 1, 1])
    figure.suptitle(title, fontsize=11)
    hours = record.t - record.t[0]
    unit, word = (3600.0, "hours") if hours[-1] > 7200 else (1.0, "seconds")
    x = hours / unit
    _rung(panels[0], x, record, unit)
    _lines(
        panels[1], x, {"searches a second": record.series["qps"], "their deviation": record.series["qps_std"]}
    )
    _threshold(panels[1], record.rules.qps_std)
    _lines(panels[2], x, {"deviation of the gradient's norm": record.series["grad_norm_std"]})
    _threshold(panels[2], record.rules.grad_norm_std)
    delays = {"p99 of the whole search, ms": record.series["latency_p99_ms"]}
    _lines(panels[3], x, delays | {"wait in the queue, ms": record.series["queue_delay_ms"]})
    panels[3].set_yscale("symlog", linthresh=10)
    for rung in RUNGS[1:]:
        _line(panels[4], x, record.agreement[rung], f"{rung} agrees", _RUNG_COLOURS[rung])
    _threshold(panels[4], record.rules.agreement)
    panels[4].set_ylim(0.6, 1.12)
    panels[4].set_xlabel(word)
    panels[4].set_yticks([0.6, 0.7, 0.8, 0.9, 1.0])
    for panel in panels:
        panel.grid(color="0.92", linewidth=0.7)
        panel.set_xlim(x[0], x[-1] if x[-1] > x[0] else x[0] + 1)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
        if panel.get_legend_handles_labels()[0]:
            panel.legend(frameon=False, fontsize=8, loc="upper left", ncols=3)
    figure.savefig(out, metadata={"Software": None})


def _rung(panel: Axes, x: Series, record: Replayed, unit: float) -> None:
    panel.step(x, -record.depth, where="post", color="0.25", linewidth=1.2)
    panel.fill_between(x, -record.depth, -2.4, step="post", color="0.9")
    panel.set_yticks([0, -1, -2], RUNGS)
    panel.set_ylim(-2.4, 0.9)
    for reason in sorted({move.reason for move in record.moves}):
        moves = [move for move in record.moves if move.reason == reason]
        at = [(move.t - record.t[0]) / unit for move in moves]
        panel.plot(
            at, [-RUNGS.index(move.new) for move in moves], "o", markersize=4, label=f"{reason} ({len(at)})"
        )


def _lines(panel: Axes, x: Series, named: dict[str, Series]) -> None:
    for at, (name, values) in enumerate(named.items()):
        _line(panel, x, values, name, f"C{at}")


def _line(panel: Axes, x: Series, values: Series, name: str, colour: str) -> None:
    """One line; of more points than can be seen the highest of each stretch is drawn, so that no peak is lost."""
    stride = -(-len(x) // _MOST_POINTS)
    if stride > 1:
        whole = len(x) // stride * stride
        blocks = values[:whole].reshape(-1, stride)
        known = ~np.isnan(blocks).all(axis=1)
        highest = np.full(len(blocks), np.nan)
        highest[known] = np.nanmax(blocks[known], axis=1)
        x, values = x[:whole:stride], highest
    panel.plot(x, values, color=colour, linewidth=0.9, label=name)


def _threshold(panel: Axes, value: float) -> None:
    panel.axhline(value, color="0.5", linewidth=0.8, linestyle="--", label=f"threshold {value:g}")
