"""Pictures of an experiment as inline SVG: intervals in units of what matters, the deciding metric by day, traffic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import cycle

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from evaluation.plots import ACCENT, CARD, GAIN, INK, LOSS, MUTED, ROW_INCHES, inline_svg

from .notation import day, tick
from .reading import Difference, Look, Metric, known

WIDTH_INCHES = 8.6
LABEL_LENGTH = 34
_FAR = 3.0
"""Effects of interest shown at most on either side, unless an estimate lies further out."""
_DAY_S = 86_400.0
# Each reading has a colour and a shape: the pictures are also read in print, and by those who see no green and red.
_COLOURS = {"better": GAIN, "worse": LOSS, "open": ACCENT, "void": MUTED}
_MARKS = {"better": "^", "worse": "v", "open": "o", "void": "x"}
_EVEN = (MUTED, "s")
_ARMS = ((ACCENT, "-", "o"), (LOSS, "--", "s"), (GAIN, ":", "^"), (INK, "-.", "D"), (MUTED, "-", "v"))


def forest(found: Sequence[Difference], name: str) -> Markup | None:
    """Every difference in units of its effect of interest, better to the right; None where none can be drawn."""
    drawn = [one for one in found if one.delta is not None and one.metric.effect > 0]
    if not drawn:
        return None
    limit = _limit(drawn)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.axvspan(-1, 1, color=ACCENT, alpha=0.13, linewidth=0)
        axes.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        for place, one in enumerate(reversed(drawn)):
            _interval(axes, place, one, limit)
        labels = [_short(one.label) for one in reversed(drawn)]
        axes.set_yticks(range(len(drawn)), labels, parse_math=False)
        axes.set_xlim(-limit, limit)
        axes.set_ylim(-0.6, len(drawn) - 0.4)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=9))
        axes.set_xlabel("← worse than control    in effects of interest    better than control →")
        axes.figure.legend(
            handles=_forest_key(drawn), loc="outside lower center", ncols=2, frameon=False, labelcolor=INK
        )

    height = 1.7 + ROW_INCHES * len(drawn)
    return inline_svg(draw, (WIDTH_INCHES, height), name)


def over_time(found: Sequence[Difference], name: str) -> Markup | None:
    """The deciding metric's differences look by look, one panel an arm; None where there was no look."""
    drawn = [one for one in found if one.looks]
    if not drawn:
        return None
    begun = min(one.looks[0].at for one in drawn)

    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(drawn), 1, squeeze=False, sharex=True)[:, 0]
        for axes, one in zip(panels, drawn, strict=True):
            _looks(axes, one, begun)
        _dates(panels[-1], begun)

    return inline_svg(draw, (WIDTH_INCHES, 0.5 + 2.3 * len(drawn)), name)


def traffic(
    days: Sequence[datetime], units: Mapping[str, Sequence[float | None]], name: str
) -> Markup | None:
    """New units of each arm on each day; None without a day."""
    if not days:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        places = [(at - days[0]).total_seconds() / _DAY_S for at in days]
        styles = zip(units.items(), cycle(_ARMS), strict=False)
        handles = []
        for (arm, counts), (colour, dashes, mark) in styles:
            counted = [float("nan") if count is None else count for count in counts]
            handles += axes.plot(
                places, counted, color=colour, linestyle=dashes, marker=mark, markersize=4, linewidth=1.6
            )
            handles[-1].set_label(_plain(_short(arm)))
        axes.set_ylim(bottom=0)
        axes.set_ylabel("new units a day")
        _dates(axes, days[0])
        axes.figure.legend(
            handles=handles, loc="outside lower center", ncols=4, frameon=False, labelcolor=INK
        )

    return inline_svg(draw, (WIDTH_INCHES, 2.6), name)


def _limit(drawn: Sequence[Difference]) -> float:
    """How far the axis reaches: a few effects, so that one interval of the first days does not flatten the rest."""
    ends = [
        abs(end) / one.metric.effect
        for one in drawn
        for end in known([one.delta, *(one.always or ()), *(one.once or ())])
    ]
    middles = [abs(one.delta or 0.0) / one.metric.effect for one in drawn]
    return max(1.5, min(1.08 * max(ends), max(_FAR, 1.25 * max(middles))))


def _interval(axes: Axes, place: int, one: Difference, limit: float) -> None:
    colour, mark = _COLOURS.get(one.says, _EVEN[0]), _MARKS.get(one.says, _EVEN[1])
    scale = one.metric.better / one.metric.effect
    for ends, width, clear in ((one.always, 1.4, 1.0), (one.once, 5.5, 0.4)):
        if ends is None:
            continue
        low, high = sorted(end * scale for end in ends)
        shown = max(low, -limit), min(high, limit)
        axes.hlines(place, *shown, color=colour, linewidth=width, alpha=clear, capstyle="butt")
        if ends is one.always:
            marks = ("<" if low < -limit else "|"), (">" if high > limit else "|")
            for end, sign in zip(shown, marks, strict=True):
                axes.plot([end], [place], sign, color=colour, markersize=7, clip_on=False)
    centre = (one.delta or 0.0) * scale
    edge = colour if mark == "x" else CARD
    axes.plot([centre], [place], mark, color=colour, markeredgecolor=edge, markersize=8, zorder=5)


def _forest_key(drawn: Sequence[Difference]) -> list[Line2D | Patch]:
    words = {
        "better": "estimate: better",
        "worse": "estimate: worse",
        "open": "estimate: undecided",
        "void": "estimate: not to be trusted",
    }
    seen = {one.says if one.says in words else "even" for one in drawn}
    marks = [(word, *_style(says)) for says, word in words.items() if says in seen]
    if "even" in seen:
        marks.append(("estimate: too little to matter", *_EVEN))
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=colour, marker=mark, linestyle="", markersize=8, label=word)
        for word, colour, mark in marks
    ]
    handles.append(
        Line2D([], [], color=INK, linewidth=1.4, marker="|", label="interval of all looks: decide by this")
    )
    handles.append(Line2D([], [], color=INK, linewidth=5.5, alpha=0.4, label="interval of this one look"))
    handles.append(Patch(color=ACCENT, alpha=0.13, linewidth=0, label="no difference that matters (±1)"))
    return handles


def _style(says: str) -> tuple[str, str]:
    return _COLOURS[says], _MARKS[says]


def _looks(axes: Axes, one: Difference, begun: datetime) -> None:
    metric, colour = one.metric, _COLOURS.get(one.says, _EVEN[0])
    if metric.effect > 0:
        axes.axhspan(-metric.effect, metric.effect, color=ACCENT, alpha=0.13, linewidth=0)
    axes.axhline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    sure = [(_days(look, begun), *look.always) for look in one.looks if look.always is not None]
    if sure:
        at, low, high = zip(*sure, strict=True)
        axes.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(at, low, color=colour, linewidth=0.9)
        axes.plot(at, high, color=colour, linewidth=0.9)
    places = [_days(look, begun) for look in one.looks]
    deltas = [look.delta for look in one.looks]
    axes.plot(places, deltas, color=colour, linewidth=1.8, marker="o", markersize=3.5)
    axes.set_ylim(*_heights(one.looks, metric))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(metric.name, value)))
    axes.set_title(_plain(f"{_short(one.arm)} minus control"), fontsize=9.5, loc="left", color=INK)
    axes.set_ylabel("better ↑" if metric.better > 0 else "better ↓")


def _heights(looks: Sequence[Look], metric: Metric) -> tuple[float, float]:
    """The first looks are very wide; were they to set the scale, the last ones could not be read."""
    settled = [end for look in looks[len(looks) // 4 :] for end in look.always or ()]
    shown = [*settled, *(look.delta for look in looks), metric.effect, -metric.effect]
    room = 0.06 * (max(shown) - min(shown)) or 1.0
    return min(shown) - room, max(shown) + room


def _days(look: Look, begun: datetime) -> float:
    return (look.at - begun).total_seconds() / _DAY_S


def _dates(axes: Axes, begun: datetime) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8, min_n_ticks=1))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: day(begun + timedelta(days=value))))


def _short(label: str) -> str:
    return label if len(label) <= LABEL_LENGTH else label[: LABEL_LENGTH - 1] + "…"


def _plain(label: str) -> str:
    """Foreign text that matplotlib does not take for a formula or a name to hide."""
    return label.replace("$", r"\$") if not label.startswith("_") else f"\u200b{label}".replace("$", r"\$")
