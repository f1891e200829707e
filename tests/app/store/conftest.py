"""An empty store on SQLite and, where its program is installed, on a real PostgreSQL."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from app.settings import Settings
from app.store import Store, open_store

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
    Path(found) for found in [shutil.which("initdb")] if found
]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        engine = create_engine(url)
        try:
            with engine.connect():
                return
        except Exception:
            if server.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.1)
        finally:
            engine.dispose()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL that lives as long as the session, without the name of a database."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL on this machine: install the package `postgresql`")
    programs = PROGRAMS[-1].parent
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    become = {"user": user, "group": pwd.getpwnam(user).pw_gid} if os.getuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="store-", dir="/tmp") as folder:
        if become:
            shutil.chown(folder, user)
        port = _free_port()
        create = [
            programs / "initdb",
            "-D",
            f"{folder}/data",
            "-U",
            "scholar",
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
        ]
        subprocess.run([*create, "--locale=C.UTF-8"], check=True, capture_output=True, cwd=folder, **become)
        run = [
            programs / "postgres",
            "-D",
            f"{folder}/data",
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-k",
            folder,
        ]
        with Path(folder, "log").open("wb") as log:
            server = subprocess.Popen(run, stdout=log, stderr=log, cwd=folder, **become)
        try:
            url = f"postgresql+psycopg://scholar:secret-word@127.0.0.1:{port}/"
            _answers(f"{url}postgres", server)
            yield url
        finally:
            server.send_signal(signal.SIGINT)  # its fast shutdown
            server.wait(timeout=60)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.engine)])
def place(request: pytest.FixtureRequest, tmp_path: Path, number: Iterator[int]) -> Settings:
    """Settings of an empty store."""
    if request.param == "sqlite":
        return Settings(home=tmp_path)
    server = request.getfixturevalue("postgres")
    name = f"store{next(number)}"
    engine = create_engine(f"{server}postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return Settings(home=tmp_path, store_url=f"{server}{name}".replace("+psycopg", ""))


@pytest.fixture(scope="session")
def number() -> Iterator[int]:
    return count(1)


@pytest.fixture
def store(place: Settings) -> Iterator[Store]:
    opened = open_store(place)
    yield opened
    opened.close()
