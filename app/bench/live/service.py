"""A service of its own: a process over a home of its own, talked to over HTTP, and killed when that is wanted."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_KEY = "bench"
_PATIENCE_S = 300.0
_TIMEOUT_S = 60.0
# The server closes a connection that was not used for five seconds.
_IDLE_S = 3.0
_COMMAND = "from cli.main import main; main()"


class ServiceLost(Exception):  # noqa: N818 - reads as what happened
    """The service under test does not come up."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its status and what its body says."""

    status: int
    body: Any


class Service:
    """`scholarsearch serve` on a free port of this machine."""

    def __init__(self, home: Path, settings: Mapping[str, str], workers: int = 1) -> None:
        self.home = home
        self._workers = workers
        self.port = _free_port()
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Seconds until it is ready. Raises ServiceLost."""
        began = time.perf_counter()
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("SCHOLARSEARCH_")
        }
        environment |= {f"SCHOLARSEARCH_{name.upper()}": value for name, value in self._settings.items()}
        environment |= {"SCHOLARSEARCH_HOME": str(self.home), "SCHOLARSEARCH_ADMIN_KEY": _KEY}
        environment |= {"SCHOLARSEARCH_LOG_LEVEL": "warning"}
        with (self.home / "service.log").open("ab") as log:
            served = ["serve", "--port", str(self.port), "--workers", str(self._workers)]
            self._process = subprocess.Popen(  # noqa: S603 - this very program
                [sys.executable, "-c", _COMMAND, *served],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        caller = Caller(self.port)
        while not caller.is_ready():
            if self._process.poll() is not None or time.perf_counter() - began > _PATIENCE_S:
                self.kill()
                raise ServiceLost(f"the service did not come up: {self._last_words()}")
            time.sleep(0.05)
        caller.close()
        return time.perf_counter() - began

    def kill(self) -> None:
        """Nothing; the process and its children are gone, as by a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Nothing; the service ends as it does on Ctrl-C."""
        self._end(signal.SIGTERM)

    def _last_words(self) -> str:
        """The end of its log, which goes with its home."""
        return (self.home / "service.log").read_text(encoding="utf-8", errors="replace").strip()[-400:]

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, how)
        self._process.wait()
        self._process = None


class Caller:
    """One connection to the service, for one thread. An OSError or HTTPException says that there was no answer."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: http.client.HTTPConnection | None = None
        self._used_at = 0.0

    def call(self, method: str, path: str, body: object = None) -> Reply:
        """The reply to one request."""
        if time.monotonic() - self._used_at > _IDLE_S:
            self.close()
        self._used_at = time.monotonic()
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_TIMEOUT_S)
        headers = {"X-Api-Key": _KEY, "Content-Type": "application/json"}
        try:
            sent = None if body is None else json.dumps(body)
            self._connection.request(method, path, sent, headers)
            response = self._connection.getresponse()
            content = response.read()
        except BaseException:
            self.close()
            raise
        return Reply(response.status, json.loads(content))

    def search(self, query: str, **asked: object) -> Reply:
        """The reply to one search."""
        return self.call("POST", "/v1/search", {"query": query, **asked})

    def is_ready(self) -> bool:
        """Whether the service says that it is."""
        try:
            return self.call("GET", "/readyz").status == 200
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def close(self) -> None:
        """Nothing; the connection is closed."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
