"""The HTTP server under the application."""

from __future__ import annotations

import socket

# A worker that loads libraries on a busy machine says nothing for a while; one that is replaced for it never starts.
_WORKER_SILENCE_S = 120


class AddressTaken(OSError):  # noqa: N818 - reads as what happened
    """The address cannot be listened on: another program does, or it is not one of this machine's."""


def require_free(host: str, port: int) -> None:
    """Nothing, when `host:port` can be listened on; raises AddressTaken, before anything slow is loaded."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        raise AddressTaken(f"cannot listen on {host}:{port}: {error.strerror or error}") from None


def listen(host: str, port: int, workers: int) -> None:
    """Nothing, until the server is told to stop; answers on `host:port` with so many processes."""
    import uvicorn

    uvicorn.run(
        "app.main:create",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        timeout_worker_healthcheck=_WORKER_SILENCE_S,
        log_level="warning",
        access_log=False,
        server_header=False,
    )
