"""A sweep as a picture: what each setting gives, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_MOST_ROWS = 30
_INK, _FAINT = "#1d4ed8", "#94a3b8"


@dataclass(frozen=True, slots=True)
class Trial:
    """One combination of settings. key: changes with everything that could change its figures."""

    key: str
    settings: Mapping[str, Any]
    means: Mapping[str, float]
    ci95: Mapping[str, tuple[float, float]]

    @property
    def name(self) -> str:
        """The settings in one line."""
        return ", ".join(f"{name}={value}" for name, value in self.settings.items())

    def record(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "key": self.key,
            "settings": dict(self.settings),
            "means": dict(self.means),
            "ci95": {metric: list(interval) for metric, interval in self.ci95.items()},
        }


def best(trials: Sequence[Trial], metric: str) -> Trial:
    """The trial that is highest on `metric`, the first of equals."""
    return max(trials, key=lambda trial: trial.means[metric])


def draw(trials: Sequence[Trial], metric: str, path: Path, title: str) -> None:
    """Nothing; the picture is in `path` (.png or .svg).

    One numeric setting makes a line with its band, two make a map, anything else a list with intervals, best first.
    """
    figure = Figure(figsize=(8.0, 4.8), layout="constrained")
    axes = figure.subplots()
    names = list(trials[0].settings)
    numeric = all(isinstance(trial.settings[name], int | float) for trial in trials for name in names)
    if len(names) == 1 and numeric and len(trials) > 1:
        _line(axes, trials, names[0], metric)
    elif len(names) == 2 and len(trials) > 3:
        _map(figure, axes, trials, names[0], names[1], metric)
    else:
        figure.set_size_inches(8.0, 1.2 + 0.3 * min(len(trials), _MOST_ROWS))
        _list(axes, trials, metric)
    axes.set_title(f"{title}\nchosen on the queries it is judged on: expect less on others", fontsize=9.5)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _line(axes: Axes, trials: Sequence[Trial], name: str, metric: str) -> None:
    rows = sorted(trials, key=lambda trial: float(trial.settings[name]))
    xs = [float(trial.settings[name]) for trial in rows]
    low, high = np.array([trial.ci95[metric] for trial in rows]).T
    axes.fill_between(xs, low, high, color=_INK, alpha=0.15, linewidth=0)
    axes.plot(xs, [trial.means[metric] for trial in rows], "o-", color=_INK)
    axes.set_xlabel(name)
    axes.set_ylabel(f"{metric}, 95 % interval")
    if min(xs) > 0 and max(xs) / min(xs) > 20:
        axes.set_xscale("log")
    axes.grid(color=_FAINT, alpha=0.3)


def _map(figure: Figure, axes: Axes, trials: Sequence[Trial], across: str, down: str, metric: str) -> None:
    columns = list(dict.fromkeys(trial.settings[across] for trial in trials))
    rows = list(dict.fromkeys(trial.settings[down] for trial in trials))
    grid = np.full((len(rows), len(columns)), np.nan)
    for trial in trials:
        grid[rows.index(trial.settings[down]), columns.index(trial.settings[across])] = trial.means[metric]
    image = axes.imshow(grid, cmap="Blues", aspect="auto")
    middle = float(np.nanmean([np.nanmin(grid), np.nanmax(grid)]))
    for row in range(len(rows)):
        for column in range(len(columns)):
            value = grid[row, column]
            axes.text(
                column,
                row,
                f"{value:.3f}",
                ha="center",
                va="center",
                color="white" if value > middle else "black",
            )
    axes.set_xticks(range(len(columns)), [str(value) for value in columns])
    axes.set_yticks(range(len(rows)), [str(value) for value in rows])
    axes.set_xlabel(across)
    axes.set_ylabel(down)
    figure.colorbar(image, ax=axes, label=metric)


def _list(axes: Axes, trials: Sequence[Trial], metric: str) -> None:
    rows = sorted(trials, key=lambda trial: -trial.means[metric])[:_MOST_ROWS]
    places = np.arange(len(rows))[::-1]
    low, high = np.array([trial.ci95[metric] for trial in rows]).T
    axes.hlines(places, low, high, color=_INK, alpha=0.4, linewidth=2)
    axes.plot([trial.means[metric] for trial in rows], places, "o", color=_INK)
    axes.set_yticks(places, [trial.name for trial in rows], fontsize=8, parse_math=False)
    axes.set_xlabel(f"{metric}, 95 % interval")
    axes.grid(axis="x", color=_FAINT, alpha=0.3)
