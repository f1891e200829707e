"""`scholarsearch bench experiments`: can the reports of experiments be believed?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps


def experiments(
    runs: Annotated[
        int, typer.Option(min=10, max=100_000, help="Simulated experiments of each kind.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the random numbers.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Simulate experiments whose truth is known and count how often the analysis is wrong.

    Users come back, and every experiment is looked at daily. Exits 1 when a goal is missed.

    Example: scholarsearch bench experiments --runs 1000
    """
    with told_in_one_line(debug):
        from app.bench.experiments import bench_experiments

        with steps() as progress:
            told = bench_experiments(runs, seed, progress)
    typer.echo(json.dumps(told) if as_json else _told(told))
    if not all(told["met"].values()):
        raise typer.Exit(1)


def _told(told: Mapping[str, Any]) -> str:
    lines = [f"{told['runs']:,} experiments of each kind, looked at on each of {told['looks']} days"]
    for name, one in told["no_lift"].items():
        lines.append(
            f"  no lift, {name.replace('_', ' ')}: found one in {one['always_valid']:.1%} (at most 6 %); "
            f"an ordinary test would in {one['ordinary_test_looked_at_daily']:.1%}, "
            f"at the end alone in {one['ordinary_test_at_the_end']:.1%}"
        )
    for name, one in told["power"]["plans"].items():
        lines.append(
            f"  lift of {told['lift']:+g}, {one['units']:,} units planned for {name.replace('_', ' ')}: "
            f"found in {one['found']:.1%}, foretold {one['predicted']:.0%} (within 5 points)"
        )
    ratio = told["ratio"]
    lines.append(
        f"  split of 95 : 5, {ratio['splits']:,} times {ratio['units']:,} units: alarm in "
        f"{ratio['rung_when_off']:.2%} at 93 : 7, in {ratio['rung_when_right']:.3%} when all is well (at most 0.2 %)"
    )
    lines += [
        f"  {'met   ' if met else 'missed'}  {goal.replace('_', ' ')}" for goal, met in told["met"].items()
    ]
    return "\n".join(lines)
