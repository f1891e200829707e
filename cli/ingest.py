"""`scholarsearch ingest`: other people's files into the store, with a report of what was left out and why."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from app.ingestion import Tally


def ingest(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Files to read.")],
    form: Annotated[
        str, typer.Option("--format", help="auto, jsonl, json, csv, xlsx or ndjson.gz.")
    ] = "auto",
    map_file: Annotated[
        Path | None, typer.Option("--map", exists=True, dir_okay=False, help="TOML: which column is what.")
    ] = None,
    suggest_map: Annotated[
        bool, typer.Option(help="Print the map that the first file seems to need, and stop.")
    ] = False,
    dry_run: Annotated[bool, typer.Option(help="Read and report, but store nothing.")] = False,
    rejects: Annotated[
        Path | None, typer.Option(dir_okay=False, help="The reject report (.jsonl or .csv).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Read records from files into the store; good rows are kept, bad ones explained.

    Example: scholarsearch ingest awards.csv --map awards.toml --dry-run
    """
    from index.ingest.source import FORMATS

    if form not in FORMATS:
        raise typer.BadParameter(f"must be one of {', '.join(FORMATS)}", param_hint="--format")
    with told_in_one_line(debug):
        if suggest_map:
            from index.ingest.mapping import write_map
            from index.ingest.reading import propose

            typer.echo(write_map(propose(files[0], form)), nl=False)
            return
        tally, report = _run(files, form, map_file, dry_run, rejects)
    answer = {
        "read": tally.read,
        "created": tally.created,
        "updated": tally.updated,
        "unchanged": tally.unchanged,
        "rejected": tally.rejected,
        "rejects_file": str(report),
        "doubtful": tally.doubtful,
        "dry_run": dry_run,
    }
    typer.echo(json.dumps(answer) if as_json else _told(tally, report, dry_run))


def _run(
    files: list[Path], form: str, map_file: Path | None, dry_run: bool, rejects: Path | None
) -> tuple[Tally, Path]:
    from app.ingestion import ingest_files
    from app.settings import Settings
    from app.store import open_store
    from app.store.links import link_pending
    from index.ingest.mapping import read_map
    from index.ingest.rejects import RejectReport

    now = datetime.now(UTC)
    settings = Settings()
    by = read_map(map_file) if map_file else None
    path = rejects or settings.home / "rejects" / f"{now:%Y%m%dT%H%M%S%f}.jsonl"
    with ExitStack() as opened:
        sink = None if dry_run else opened.enter_context(closing(open_store(settings)))
        report, progress = opened.enter_context(RejectReport(path)), opened.enter_context(steps())
        tally = ingest_files(files, sink, report, now, form=form, by=by, progress=progress)
        if sink is not None:
            link_pending(sink, now, progress=progress)
        return tally, path


def _told(tally: Tally, report: Path, dry_run: bool) -> str:
    head = "dry run, nothing stored: " if dry_run else ""
    text = (
        f"{head}{tally.read:,} rows read: {tally.created:,} created, {tally.updated:,} updated, "
        f"{tally.unchanged:,} unchanged, {tally.rejected:,} rejected"
    )
    if tally.doubtful:
        doubtful = ", ".join(f"{name} {count:,}" for name, count in sorted(tally.doubtful.items()))
        text += f"\nstated but not certain, kept as text: {doubtful}"
    return text + (f"\nrejects: {report}" if tally.rejected else "")
