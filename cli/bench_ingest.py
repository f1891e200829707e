"""`scholarsearch bench ingest`: the tally of ingest over a folder of data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps


def intake(
    data: Annotated[
        Path,
        typer.Option(
            exists=True, file_okay=False, help="Folder with normalised/, raw_samples/, expected_facts.jsonl."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Ingest every file of a folder into a store of its own: rejects, hand-checked facts, rate and memory.

    Example: scholarsearch bench ingest --data data/scholarships
    """
    with told_in_one_line(debug):
        from app.bench.intake import bench_intake

        with steps() as progress:
            told = bench_intake(data, progress)
    typer.echo(json.dumps(told, ensure_ascii=False)) if as_json else _show(told)


def _show(told: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Ingest, file by file", title_justify="left", box=None, pad_edge=False)
    table.add_column("file", no_wrap=True)
    for heading in ("rows", "created", "rejected", "explained", "doubts"):
        table.add_column(heading, justify="right")
    for name, row in told["files"].items():
        figures = [row[key] for key in ("read", "created", "rejected", "explained")]
        table.add_row(name, *(f"{figure:,}" for figure in (*figures, sum(row["doubtful"].values()))))
    Console().print(table)
    typer.echo(
        f"\n{told['read']:,} rows of {told['bytes'] / 1e6:,.1f} MB in {told['seconds']:,.1f} s: "
        f"{told['records_per_s']:,.0f} a second ({told['records_per_cpu_s']:,.0f} a second of processor time), "
        f"peak memory {told['peak_bytes'] / 1e6:,.0f} MB, {told['rejected']:,} rejected"
    )
    if told["facts"] is None:
        return
    for kind, (passed, count) in told["facts"]["kinds"].items():
        typer.echo(f"{kind.replace('_', ' ')}: {passed:,} of {count:,} facts")
    for line in told["facts"]["wrong"]:
        typer.echo(f"  wrong: {line}")
