"""`scholarsearch bench`: measurements, each figure beside a reference measured in the same run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from rich.table import Table

bench = typer.Typer(
    no_args_is_help=True, help="Measure this machine; every figure stands beside a reference."
)


@bench.callback()
def _bench() -> None:
    """Measure this machine; every figure stands beside a reference measured in the same run."""


@bench.command()
def retrieval(
    documents: Annotated[
        str, typer.Option(help="Sizes of the made-up collections, separated by commas.")
    ] = "100000,1000000",
    queries: Annotated[int, typer.Option(min=1, max=2000, help="How many queries are asked.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Measure both legs of the first stage at sizes the shipped catalogue does not have.

    Collections are made up from the statistics of the current snapshot. Latencies are of one query on one thread;
    recall is of the hundred best documents, against scores worked out in full; "1%" is a search among that share of
    the documents. A million documents take some half an hour and 8 GiB of memory.

    Example: scholarsearch bench retrieval --documents 20000 --json
    """
    sizes = _sizes(documents)
    with told_in_one_line(debug):
        import tempfile
        from pathlib import Path

        from app.bench.retrieval import bench_retrieval
        from app.services import open_library
        from app.settings import Settings

        settings = Settings()
        settings.home.mkdir(parents=True, exist_ok=True)
        with steps() as progress, tempfile.TemporaryDirectory(prefix="bench-", dir=settings.home) as scratch:
            told = bench_retrieval(open_library(settings, progress), sizes, queries, Path(scratch), progress)
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show(told)


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(part.replace("_", "")) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no list of numbers", param_hint="--documents") from None
    if min(sizes) < 100:
        raise typer.BadParameter("a collection has at least 100 documents", param_hint="--documents")
    return sizes


def _show(told: Mapping[str, Any]) -> None:
    from rich.console import Console

    console = Console()
    console.print(f"{told['machine']['processor']}, {told['machine']['cores']} cores, one thread a query")
    for size in told["sizes"]:
        for leg in ("lexical", "dense"):
            console.print(_table(f"\n{leg}, {size['documents']:,} documents", size[leg]))


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in ("p50 ms", "p95", "p99", "recall", "1% p50", "recall", "build s", "disk MB", "RAM MB"):
        table.add_column(heading, justify="right")
    for row in rows:
        if "left_out" in row:
            table.add_row(row["name"], f"left out {row['left_out']}")
            continue
        latency, filtered = row["latency_ms"], row["filtered_latency_ms"] or {}
        table.add_row(
            row["name"],
            *(_number(latency[name], 2) for name in ("p50", "p95", "p99")),
            _number(row["recall@100"], 3),
            _number(filtered.get("p50"), 2),
            _number(row["filtered_recall@100"], 3),
            _number(row["build_s"], 1),
            _number(row["disk_bytes"], 0, 1e6),
            _number(row["resident_bytes"], 0, 1e6),
        )
    return table


def _number(value: float | None, digits: int, unit: float = 1) -> str:
    return "-" if value is None else f"{value / unit:,.{digits}f}"
