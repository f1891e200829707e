"""Pictures of an assessment as inline SVG. Colours are names of the page's own palette, text stays text."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .assessment import Assessment
from .perquery import Change

# matplotlib wants colours as numbers; these stand for the page's and are exchanged in the finished picture.
PALETTE = {
    "#010101": "currentColor",
    "#020202": "var(--muted)",
    "#030303": "var(--accent)",
    "#040404": "var(--gain)",
    "#050505": "var(--loss)",
    "#060606": "var(--line)",
    "#070707": "var(--card)",
}
INK, MUTED, ACCENT, GAIN, LOSS, LINE, CARD = PALETTE
ROW_INCHES = 0.34


def forest(assessment: Assessment) -> Markup:
    """MRR@5 of every system with its 95 % interval; beside it, differences from the baseline with theirs."""
    systems = assessment.systems
    paired = [found for found in assessment.comparisons if found.metric == "mrr@5"]
    panels = 2 if paired else 1

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, panels, squeeze=False, sharey=True)[0]
        positions = np.arange(len(systems))[::-1]
        _intervals(
            axes[0],
            positions,
            [system.means["mrr@5"] for system in systems],
            [system.ci95["mrr@5"] for system in systems],
        )
        axes[0].set_yticks(positions, [system.name for system in systems], parse_math=False)
        axes[0].set_ylim(-0.6, len(systems) - 0.4)
        axes[0].set_xlabel("MRR@5, 95 % interval")
        if paired:
            axes[1].axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
            _intervals(
                axes[1], positions[1:], [found.delta for found in paired], [found.ci95 for found in paired]
            )
            axes[1].set_xlabel(f"difference from {assessment.baseline.name}, same queries", parse_math=False)

    return inline_svg(draw, (8.6, 0.85 + ROW_INCHES * len(systems)), "forest")


def waterfall(found: Sequence[Change], system: str) -> Markup:
    """The change of MRR@5 of every query, largest gain first: how many queries carry the mean."""
    deltas = np.array([change.mrr_delta for change in found])

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.bar(
            np.arange(len(deltas)), deltas, width=1.0, color=[GAIN if delta > 0 else LOSS for delta in deltas]
        )
        axes.axhline(0, color=MUTED, linewidth=0.8)
        axes.set_xlim(-0.5, len(deltas) - 0.5)
        axes.set_ylim(-1.05, 1.05)
        axes.set_ylabel("change of MRR@5")
        axes.set_xlabel("queries, largest gain first")
        axes.set_xticks([])

    return inline_svg(draw, (8.6, 1.9), f"waterfall {system}")


def _intervals(
    axes: Axes,
    positions: np.typing.NDArray[np.int64],
    centres: Sequence[float],
    ranges: Sequence[tuple[float, float]],
) -> None:
    lows, highs = np.array(ranges).T
    axes.hlines(positions, lows, highs, color=ACCENT, linewidth=2.2, alpha=0.55, capstyle="round")
    axes.plot(centres, positions, "o", color=ACCENT, markersize=6)
    axes.grid(axis="x", color=LINE, linewidth=0.7)


def inline_svg(draw: Callable[[Figure], None], inches: tuple[float, float], name: str) -> Markup:
    """The drawn figure as an SVG element, the same bytes for the same data."""
    settings = {"svg.fonttype": "none", "svg.hashsalt": name, "font.size": 9.5, "axes.axisbelow": True}
    with mpl.rc_context(settings), warnings.catch_warnings():
        # The page's reader has fonts for every script; that the drawing library has not changes nothing.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = Figure(figsize=inches, layout="constrained")
        figure.patch.set_alpha(0.0)
        draw(figure)
        for axes in figure.axes:
            _dress(axes)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return Markup(_inlined(buffer.getvalue()))  # noqa: S704 - matplotlib escapes every text it writes


def _dress(axes: Axes) -> None:
    axes.patch.set_alpha(0.0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    axes.tick_params(colors=MUTED, labelcolor=INK, length=3)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.label.set_color(MUTED)
    axes.yaxis.label.set_color(MUTED)


def _inlined(svg: str) -> str:
    """The bare element: no prolog, page colours, and no ids but those it refers to itself."""
    svg = svg[svg.index("<svg") :]
    used = set(re.findall(r"#([A-Za-z][\w-]*)", svg))
    svg = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", svg)
    for number, colour in PALETTE.items():
        svg = svg.replace(number, colour)
    return re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
