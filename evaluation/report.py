"""An assessment as files: metrics.json, per_query.csv, report.md, report.html; the same bytes each time."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from .assessment import Assessment, SystemResult
from .figures import figures
from .metrics import METRICS
from .perquery import Change, changes, write_csv
from .plots import forest, waterfall
from .significance import RESAMPLES
from .slices import SMALL, Slice
from .verdict import ALPHA, p_text, verdict

SHOWN = 8
"""Queries listed at each end."""
FAILURES_SHOWN = 20
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#])")


@dataclass(frozen=True, slots=True)
class Duel:
    """One system against the baseline, query by query."""

    system: SystemResult
    better: int
    equal: int
    worse: int
    gains: tuple[Change, ...]
    losses: tuple[Change, ...]
    plot: Markup


def write_report(assessment: Assessment, out: Path, run_files: Mapping[str, str]) -> None:
    """Writes the four files into `out`; run_files: system -> name of its run file in the same folder."""
    out.mkdir(parents=True, exist_ok=True)
    machine = json.dumps(figures(assessment), ensure_ascii=False, allow_nan=False, indent=2)
    (out / "metrics.json").write_text(machine + "\n", encoding="utf-8")
    write_csv(out / "per_query.csv", assessment)
    pages = _environment()
    context = _context(assessment, run_files)
    for name in ("report.md", "report.html"):
        page = pages.get_template(f"{name}.j2").render(context)
        (out / name).write_text(page, encoding="utf-8", newline="\n")


def _context(assessment: Assessment, run_files: Mapping[str, str]) -> dict[str, Any]:
    leader = max(assessment.systems, key=lambda system: system.means["mrr@5"])
    failed = [change for change in changes(assessment, leader) if change.mrr == 0]
    failed.sort(key=lambda change: (change.rank is None, change.rank or 0, change.query_id))
    durations = [found["p95"] for system in assessment.systems for found in system.latency_ms.values()]
    return {
        "it": assessment,
        "verdict": verdict(assessment),
        "metrics": METRICS,
        "best": {metric: max(system.means[metric] for system in assessment.systems) for metric in METRICS},
        "tags": _slice_rows(assessment),
        "small": SMALL,
        "alpha": ALPHA,
        "resamples": RESAMPLES,
        "forest": forest(assessment),
        "duels": [_duel(assessment, system) for system in assessment.systems[1:]],
        "leader": leader,
        "hard": failed[:FAILURES_SHOWN],
        "hard_total": len(failed),
        "slowest": max(durations, default=0.0),
        "run_files": run_files,
    }


def _duel(assessment: Assessment, system: SystemResult) -> Duel:
    found = changes(assessment, system)
    gains = [change for change in found if change.mrr_delta > 0]
    losses = [change for change in reversed(found) if change.mrr_delta < 0]
    equal = len(found) - len(gains) - len(losses)
    return Duel(
        system,
        len(gains),
        equal,
        len(losses),
        tuple(gains[:SHOWN]),
        tuple(losses[:SHOWN]),
        waterfall(found, system.name),
    )


def _slice_rows(assessment: Assessment) -> list[tuple[Slice, ...]]:
    """One row per tag, one slice per system; tags are the same for all, as they come from the queries."""
    return list(zip(*(system.slices for system in assessment.systems), strict=True))


def _environment() -> Environment:
    loader = PackageLoader("evaluation", "templates")
    pages = Environment(
        loader=loader,
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    pages.filters.update(figure=_figure, short=_short, ms=_ms, p_text=p_text, cell=_cell, count=_count)
    # Our own stylesheet, not foreign text: escaping would break its quotes.
    pages.globals["css"] = Markup(loader.get_source(pages, "report.css")[0])  # noqa: S704
    return pages


def _figure(value: float, sign: str = "") -> str:
    text = f"{value:{sign}.3f}"
    return text.replace("-", "−") if float(text) else text.lstrip("+-")


def _short(value: float) -> str:
    """For the small print under a figure, where a third digit would only be noise."""
    return f"{value:.2f}"


def _ms(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _count(number: int | None) -> str:
    return "not known" if number is None else f"{number:,}"


def _cell(text: str) -> str:
    """Foreign text as one line of Markdown, nothing in it taken for markup."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
