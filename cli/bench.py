"""`scholarsearch bench`: measurements, each figure beside a reference measured in the same run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from rich.table import Table

    from index.document import Document

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


@bench.command()
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

        told = bench_estimates(_documents(files or []), years)
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show_estimates(told)


@bench.command()
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
            told = bench_links(chain(_documents(files), programmes()), refit, progress)
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show_links(told)


def _documents(files: Sequence[Path]) -> Iterator[Document]:
    """The records of files, or of the store when there are none."""
    from index.ingest.assemble import Reading
    from index.ingest.reading import read_file

    if files:
        readings = (item for file in files for item in read_file(file))
        yield from (item.document for item in readings if isinstance(item, Reading))
        return
    from app.settings import Settings
    from app.store import open_store

    store = open_store(Settings())
    try:
        yield from store.documents()
    finally:
        store.close()


def _show_links(told: Mapping[str, Any]) -> None:
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


def _show_estimates(told: Mapping[str, Any]) -> None:
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
            [_number(row[key].get(days), 3) for days in within]
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
