"""`scholarsearch bench assignment`: what an assignment costs."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from .failure import told_in_one_line


def assignment(
    experiments: Annotated[int, typer.Option(min=0, max=1000, help="How many run at once.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Measure how long it takes to tell a search its arms.

    Example: scholarsearch bench assignment --experiments 10
    """
    with told_in_one_line(debug):
        from app.bench.assignment import bench_assignment

        found = bench_assignment(experiments)
    if as_json:
        typer.echo(json.dumps(found))
        return
    us, calls = found["us"], found["calls"]
    typer.echo(
        f"{experiments} experiments: p50 {us['p50']:.1f} us, p99 {us['p99']:.1f} us, {calls:,} searches"
    )
