"""`scholarsearch index`: the records of the store in, a snapshot to serve out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .failure import told_in_one_line
from .steps import steps


def index(
    encoder: Annotated[str | None, typer.Option(help="Bi-encoder, if not the default one.")] = None,
    if_missing: Annotated[bool, typer.Option(help="Do nothing when there is a snapshot already.")] = False,
    export_vectors: Annotated[
        Path | None,
        typer.Option(
            file_okay=False, help="Write the catalogue's vectors there, as the package ships them, and stop."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Build the snapshot that is served. An interrupted build goes on where it stopped.

    Example: scholarsearch index --json
    """
    with told_in_one_line(debug):
        from app import indexing
        from app.settings import Settings
        from models.registry import DEFAULT_ENCODER

        settings = Settings()
        home = settings.home
        if export_vectors is not None:
            with steps() as progress:
                size = indexing.export_vectors(home, export_vectors, progress)
            typer.echo(
                json.dumps({"bytes": size}) if as_json else f"{size / 1e6:,.1f} MB in {export_vectors}"
            )
            return
        made = indexing.published(home) if if_missing else None
        if made is None:
            with steps() as progress:
                made = indexing.index_store(settings, encoder or DEFAULT_ENCODER, progress)
    manifest = made.manifest
    answer = {
        "snapshot": manifest.snapshot,
        "documents": manifest.documents,
        "passages": manifest.passages,
        "seconds": round(made.seconds, 2),
        "bytes": manifest.bytes,
    }
    if as_json:
        typer.echo(json.dumps(answer))
    else:
        typer.echo(
            f"snapshot {manifest.snapshot}: {manifest.documents:,} documents, {manifest.passages:,} passages, "
            f"{manifest.bytes / 1e6:,.1f} MB, {made.seconds:.1f} s, in {made.folder}"
        )
