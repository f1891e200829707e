"""`scholarsearch bench links`: how well are records of one programme linked?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .documents import documents_of
from .failure import told_in_one_line
from .steps import steps


def links(
    files: Annotated[
        list[Path], typer.Argument(exists=True, dir_okay=False, help="Files of the records that were judged.")
    ],
    refit: Annotated[
        bool, typer.Option(help="Make the tables of the linker anew first, in this installation.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Measure how well records of one programme are linked, on the pairs that were judged by reading them.

    The shipped catalogue counts among the records. "held" pairs played no part in choosing weights and threshold.

    Example: scholarsearch bench links normalised/ca_ufv.jsonl normalised/iefa.jsonl --json
    """
    with told_in_one_line(debug):
        from itertools import chain

        from app.bench.links import bench_links
        from index.catalogue.shipped import programmes

        with steps() as progress:
            told = bench_links(chain(documents_of(files), programmes()), refit, progress)
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show(told)


def _show(told: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    title = (
        f"{told['records']:,} records, {told['links']:,} links, {told['programmes']:,} programmes of "
        f"{told['linked_records']:,} records, {told['processor_seconds']} s of one processor"
    )
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("judged pairs", no_wrap=True)
    for heading in (
        "pairs",
        "right",
        "wrong",
        "missed",
        "precision",
        "recall",
        "weighted precision",
        "recall",
    ):
        table.add_column(heading, justify="right")
    for half, kind in ((half, kind) for half in ("held", "choose") for kind in ("links", "programmes")):
        row = told.get(half, {}).get(kind)
        if row is not None:
            shares = ("precision", "recall", "weighted_precision", "weighted_recall")
            table.add_row(
                f"{half}, {kind}",
                *(f"{row[name]:,}" for name in ("pairs", "right", "wrong", "missed")),
                *(f"{one['value']:.3f} ({one['low']:.2f}-{one['high']:.2f})" for one in map(row.get, shares)),
            )
    Console(width=130).print(table)
