"""`scholarsearch backup` and `scholarsearch restore`: the whole store to one file, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .failure import told_in_one_line

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of a failure.")]


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write the backup.")],
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Write one state of the store to a file that proves itself whole; the service may go on running.

    Example: scholarsearch backup store-2026-10-01.jsonl.gz
    """
    with told_in_one_line(debug):
        from app.settings import Settings
        from app.store import archive, open_store

        store = open_store(Settings())
        try:
            rows = archive.backup(store, file)
        finally:
            store.close()
    size = file.stat().st_size
    answer = {"file": str(file), "rows": rows, "bytes": size}
    typer.echo(json.dumps(answer) if as_json else f"{rows:,} rows, {size / 1e6:,.1f} MB in {file}")


def restore(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A file that `backup` has written.")],
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Make the store what a backup holds: all of it, or on an error nothing changes.

    What the store held before is first written to a backup of its own, in the home folder.

    Example: scholarsearch restore store-2026-10-01.jsonl.gz
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime

        from app.indexing import last_change
        from app.settings import Settings
        from app.store import archive, open_store

        settings = Settings()
        store = open_store(settings)
        kept = None
        try:
            archive.check(file)  # a wrong file is to be known before anything is written
            if store.sequence():
                settings.home.mkdir(parents=True, exist_ok=True)
                kept = settings.home / f"before-restore-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.jsonl.gz"
                archive.backup(store, kept)
            records = archive.restore(store, file, known=last_change(settings.home))
        finally:
            store.close()
    answer = {"records": records, "before": None if kept is None else str(kept)}
    before = "" if kept is None else f"; what was there before is in {kept}"
    told = (
        f"{records:,} records restored{before}; a running service reads them anew, else: scholarsearch index"
    )
    typer.echo(json.dumps(answer) if as_json else told)
