"""`scholarsearch serve`: the HTTP service and its page."""

from __future__ import annotations

from typing import Annotated

import typer

from .failure import told_in_one_line
from .steps import steps


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on. [default: 8000]")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Server processes.")] = 1,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Serve the search page and the HTTP interface; the snapshot is built first when there is none.

    Example: scholarsearch serve --port 8080
    """
    with told_in_one_line(debug):
        from app.indexing import index_store, published
        from app.server import listen, require_free
        from app.settings import Settings
        from models.registry import DEFAULT_ENCODER

        settings = Settings()
        address, number = host or settings.host, settings.port if port is None else port
        require_free(address, number)
        if published(settings.home) is None:
            typer.echo("building the snapshot of the shipped catalogue", err=True)
            with steps() as progress:
                index_store(settings, DEFAULT_ENCODER, progress)
        shown = f"[{address}]" if ":" in address else address
        typer.echo(f"ScholarSearch: http://{shown}:{number}/  (interface: /docs, stop: Ctrl-C)", err=True)
        listen(address, number, workers)
