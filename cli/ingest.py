"""`scholarsearch ingest`: other people's files into the store, with a report of what was left out and why."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from app.forecast import Forecast
    from app.ingestion import Tally
    from index.ingest.mapping import ColumnMap


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
            _suggest(files[0], form, as_json)
            return
        by = _map(map_file)
        ahead = _forecast(files, form, by)
        if ahead is not None and not as_json:
            typer.echo(_foretold(ahead), err=True)
        tally, report = _run(files, form, by, dry_run, rejects)
    answer = {
        "read": tally.read,
        "created": tally.created,
        "updated": tally.updated,
        "unchanged": tally.unchanged,
        "rejected": tally.rejected,
        "rejects_file": str(report) if tally.rejected else None,
        "doubtful": tally.doubtful,
        "dry_run": dry_run,
        "forecast": None if ahead is None else asdict(ahead),
    }
    typer.echo(json.dumps(answer) if as_json else _told(tally, report, dry_run))


def _suggest(file: Path, form: str, as_json: bool) -> None:
    from index.ingest.mapping import map_record, write_map
    from index.ingest.reading import propose

    made = propose(file, form)
    typer.echo(
        json.dumps(map_record(made), ensure_ascii=False) + "\n" if as_json else write_map(made), nl=False
    )


def _map(map_file: Path | None) -> ColumnMap | None:
    from index.ingest.mapping import read_map

    return read_map(map_file) if map_file else None


def _forecast(files: list[Path], form: str, by: ColumnMap | None) -> Forecast | None:
    """How long a large file will take; what is small is read before one could say so."""
    from app.forecast import LARGE_BYTES, forecast

    return forecast(files, form, by) if any(file.stat().st_size >= LARGE_BYTES for file in files) else None


def _run(
    files: list[Path], form: str, by: ColumnMap | None, dry_run: bool, rejects: Path | None
) -> tuple[Tally, Path]:
    from app.ingestion import ingest_files
    from app.settings import Settings
    from app.store import open_store
    from app.store.links import link_pending
    from app.store.opening import is_there
    from app.store.rehearsal import Rehearsal
    from index.ingest.rejects import RejectReport

    now = datetime.now(UTC)
    settings = Settings()
    path = rejects or settings.home / "rejects" / f"{now:%Y%m%dT%H%M%S%f}.jsonl"
    with ExitStack() as opened:
        store = None
        if not dry_run or is_there(settings):
            store = opened.enter_context(closing(open_store(settings)))
        report, progress = opened.enter_context(RejectReport(path)), opened.enter_context(steps())
        sink = Rehearsal(store) if dry_run or store is None else store
        tally = ingest_files(files, sink, report, now, form=form, by=by, progress=progress)
        if store is not None and not dry_run:
            link_pending(store, now, progress=progress)
        return tally, path


def _foretold(ahead: Forecast) -> str:
    text = f"{ahead.records:,} records: about {_span(ahead.read_s)} to read"
    if ahead.embed_s is None:
        return f"{text}; how long it takes to embed them cannot be said here (no encoder)"
    return (
        f"{text}, then `scholarsearch index` would embed about {ahead.passages:,} passages "
        f"in about {_span(ahead.embed_s)} here ({ahead.passages_per_s:,.0f} a second)"
    )


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


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
