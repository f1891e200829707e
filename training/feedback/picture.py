"""nDCG@10 by round, one panel for each kind of users and each use of clicks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from training.feedback.trial import RANKERS, USERS, Course

_STYLE = {
    "none": ("0.6", ":", "no learning"),
    "naive": ("C3", "-", "clicks as they come"),
    "debiased": ("C0", "-", "clicks weighed by rank"),
    "knowing": ("0.3", "--", "true grades known"),
}
_TITLE = {"pairs": "weights learned from pairs", "attraction": "how documents were taken"}


def draw(found: Sequence[Course], out: Path) -> None:
    """Writes the picture to `out`, a PNG; bands are the middle 80 % of worlds."""
    figure = Figure(figsize=(9.0, 6.2), dpi=120, layout="constrained")
    axes = figure.subplots(len(RANKERS), len(USERS), squeeze=False, sharex=True, sharey="row")
    for row, use in enumerate(RANKERS):
        for column, users in enumerate(USERS):
            panel = axes[row, column]
            panel.set_title(f"{_TITLE[use]}, {users} users", fontsize=10)
            for course in found:
                if (course.use, course.users) == (use, users):
                    _line(panel, course)
            panel.grid(color="0.9", linewidth=0.7)
            for side in ("top", "right"):
                panel.spines[side].set_visible(False)
        axes[row, 0].set_ylabel("nDCG@10, queries nobody asked")
        axes[row, 0].legend(frameon=False, fontsize=8, loc="lower right")
    for panel in axes[-1]:
        panel.set_xlabel("rounds of searches learned from")
    figure.savefig(out, metadata={"Software": None})


def _line(panel: Axes, course: Course) -> None:
    colour, dashes, label = _STYLE[course.kind]
    rounds = np.arange(course.ndcg.shape[1])
    low, high = np.quantile(course.ndcg, (0.1, 0.9), axis=0)
    panel.fill_between(rounds, low, high, color=colour, alpha=0.12, linewidth=0)
    panel.plot(rounds, course.ndcg.mean(axis=0), dashes, color=colour, label=label, linewidth=1.8)
