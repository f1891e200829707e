"""Connections to the database: how they are opened, what a transaction is, what an error means."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import DBAPIError

from .errors import StoreDamaged, StoreError, StoreFull, StoreUnavailable

BUSY_TIMEOUT_S = 30
_CONNECT_TIMEOUT_S = 10
_WRITES = "scholarsearch_writes"
# Primary result codes of SQLite.
_BUSY, _LOCKED, _IO, _CORRUPT, _FULL, _NOT_A_DATABASE = 5, 6, 10, 11, 13, 26


def open_engine(url: URL) -> Engine:
    """An engine for `url`; nothing is connected yet."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        return engine
    return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_TIMEOUT_S})


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that may write: all of it happens, or on any exception none. Raises StoreError."""
    with (
        told(engine),
        engine.connect().execution_options(**{_WRITES: True}) as connection,
        connection.begin(),
    ):
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one state of the store from its first query to its end. Raises StoreError."""
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    with told(engine), engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


@contextmanager
def told(engine: Engine) -> Iterator[None]:
    """Runs the block; an error of the database becomes a StoreError that says where and why."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise _meaning(error, engine.url.render_as_string(hide_password=True)) from error


def _meaning(error: DBAPIError | sqlite3.Error, place: str) -> StoreError:
    cause: Any = error.orig if isinstance(error, DBAPIError) else error
    words = " ".join(str(cause).split())
    code = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
    state = getattr(cause, "sqlstate", None) or ""
    if code == _FULL or state == "53100":
        return StoreFull(f"{place}: no room left, nothing of this batch was written ({words})")
    if code in (_CORRUPT, _NOT_A_DATABASE):
        return StoreDamaged(f"{place}: damaged or not a store ({words}); restore a backup")
    if code in (_BUSY, _LOCKED):
        return StoreUnavailable(f"{place}: another writer held it for over {BUSY_TIMEOUT_S} s")
    if code == _IO:
        return StoreUnavailable(f"{place}: cannot be read or written ({words})")
    return StoreUnavailable(f"{place}: {words}")


def _prepare(connection: DBAPIConnection, _record: object) -> None:
    # Transactions are begun by `_begin`; the driver would begin them too late and of the wrong kind.
    connection.isolation_level = None
    cursor = connection.cursor()
    _keep_a_log(cursor)
    cursor.execute("PRAGMA synchronous=FULL")  # a commit that returned survives a power cut
    cursor.execute("PRAGMA fullfsync=ON")  # macOS alone: there a plain fsync does not reach the disk
    cursor.close()


def _keep_a_log(cursor: DBAPICursor) -> None:
    # SQLite waits for no other opener here, whatever the timeout.
    end = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (_BUSY, _LOCKED) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: one that begins as a reader cannot wait for it later.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
