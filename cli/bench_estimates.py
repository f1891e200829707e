"""`scholarsearch bench estimates`: how far off are the estimates of the next round?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .documents import documents_of
from .failure import told_in_one_line


def estimates(
    files: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, dir_okay=False, help="Files of records. [default: the store]"),
    ] = None,
    years: Annotated[
        int, typer.Option(min=2, max=50, help="Only programmes with rounds in so many years.")
    ] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Measure how far off the estimates of the next round are: the last year is hidden, then compared.

    Beside it stands, for programmes without an estimate, what their last round alone would have said.

    Example: scholarsearch bench estimates awards.jsonl --years 2 --json
    """
    with told_in_one_line(debug):
        from app.bench.estimates import bench_estimates

        told = bench_estimates(documents_of(files or []), years)
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show(told)


def _show(told: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    title = f"Programmes with rounds in {told['least_years']} years or more; share within so many days"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    within = [str(days) for days in told["within_days"]]
    closing, opening, silent = (
        [f"{what} {days}" for days in within] for what in ("closing", "opening", "last round")
    )
    for heading in ("programmes", "estimated", *closing, *opening, "silent", *silent):
        table.add_column(heading, justify="right")
    for name, row in (*told["sources"].items(), ("all", told["all"])):
        shares = [
            [_share(row[key].get(days)) for days in within]
            for key in ("closing", "opening", "silent_last_round")
        ]
        table.add_row(
            name or "(no source)",
            *(f"{row[key]:,}" for key in ("programmes", "estimated")),
            *shares[0],
            *shares[1],
            f"{row['silent']:,}",
            *shares[2],
        )
    Console().print(table)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
