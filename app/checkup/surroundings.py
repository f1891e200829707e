"""What stands around the service: its port, and programs that some duties can use."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from .finding import Finding
from .packages import version_of


def port(host: str, number: int) -> Finding:
    """Whether the address to serve on is free."""
    facts = {"host": host, "port": number}
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        # As the server does it: a port that only waits for its last connections to fade is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, number))
        except OSError as error:
            detail = f"{host}:{number} cannot be used: {error.strerror or error}"
            return Finding("service", "port", "warning", detail, f"make run PORT={number + 1}", facts)
    return Finding("service", "port", "ok", f"{host}:{number} is free", None, facts)


def programs(
    which: Callable[[str], str | None] = shutil.which, device: Path = Path("/dev/nvidia0")
) -> Iterator[Finding]:
    """Optional programs and devices; none of them is needed to serve."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(which, names)), None)
    yield _optional("chromium", browser, "browser tests", "apt-get install chromium")
    yield _optional(
        "cuda device", str(device) if device.exists() else None, "encoding and FAISS on a GPU", None
    )
    yield _optional("faiss-gpu", version_of("faiss-gpu"), "vector search on a GPU", "make setup VARIANT=gpu")


def _optional(name: str, found: str | None, use: str, fix: str | None) -> Finding:
    if found is None:
        return Finding("optional", name, "absent", f"not here; used for {use}", fix)
    return Finding("optional", name, "ok", found)
