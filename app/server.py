"""The HTTP server under the application."""

from __future__ import annotations


def listen(host: str, port: int, workers: int) -> None:
    """Nothing, until the server is told to stop; answers on `host:port` with so many processes."""
    import uvicorn

    uvicorn.run(
        "app.main:create",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
    )
