"""Where experiments are kept: in the store, or in memory for what has no store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from app.errors import InvalidRequest, NotFound, PreconditionFailed
from app.store import Store
from app.store.engine import reading, writing
from app.store.tables import CLOCK, EXPERIMENTS

from .layer import clashes
from .spec import Experiment, canonical, read
from .version import Version, latest

Allows = Callable[[Version | None], bool]
"""Whether a change of the newest version (None = there is none) may go on."""

_REPLACED = "replaced by a new version"


class Shelf(Protocol):
    """Keeps experiments. Every method may raise StoreError; threads and processes may share it."""

    def mark(self) -> int:
        """A number that is another after every change. Cheap."""

    def versions(self) -> list[Version]:
        """All versions of all experiments, by key and number."""

    def put(self, experiment: Experiment, allows: Allows, at: datetime) -> Version:
        """The version that holds from here on; durable on return.

        A change that moves nobody changes the running version; any other one stops it and starts the next. Raises
        PreconditionFailed, or InvalidRequest where another experiment is in the way.
        """

    def stop(self, key: str, reason: str, at: datetime) -> Version:
        """The newest version, stopped for good. Raises NotFound."""


def changed(
    versions: Sequence[Version], experiment: Experiment, allows: Allows, at: datetime, sequence: int
) -> list[Version]:
    """The versions to write, oldest first, so that `experiment` holds; empty when it does already.

    Raises PreconditionFailed or InvalidRequest.
    """
    newest = latest(versions)
    before = newest.get(experiment.key)
    if not allows(before):
        raise PreconditionFailed(
            "The experiment is not in the state that your precondition names: read it again."
        )
    others = [version.experiment for version in newest.values() if version.state == "running"]
    if faults := clashes(experiment, others):
        raise InvalidRequest(*faults)
    if before is None or before.state == "stopped":
        return [Version(experiment, before.number + 1 if before else 1, "running", at, None, None, sequence)]
    if before.experiment == experiment:
        return []
    if before.experiment.moves_nobody(experiment):
        return [Version(experiment, before.number, "running", before.created_at, None, None, sequence)]
    old = Version(before.experiment, before.number, "stopped", before.created_at, at, _REPLACED, sequence)
    return [old, Version(experiment, before.number + 1, "running", at, None, None, sequence + 1)]


def stopped(versions: Sequence[Version], key: str, reason: str, at: datetime, sequence: int) -> Version:
    """The newest version of `key`, stopped; itself when it is already. Raises NotFound."""
    before = latest(versions).get(key)
    if before is None:
        raise NotFound("There is no experiment of this key.")
    if before.state == "stopped":
        return before
    return Version(before.experiment, before.number, "stopped", before.created_at, at, reason, sequence)


class StoreShelf:
    """Experiments in the store that `store` opens."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store

    def mark(self) -> int:
        """The number of the last change."""
        with reading(self._store().engine) as connection:
            return _mark(connection)

    def versions(self) -> list[Version]:
        """All versions, by key and number."""
        with reading(self._store().engine) as connection:
            return _versions(connection)

    def put(self, experiment: Experiment, allows: Allows, at: datetime) -> Version:
        """The version that holds from here on."""
        with writing(self._store().engine) as connection:
            _lock(connection)
            known = _versions(connection)
            fresh = changed(known, experiment, allows, at, _mark(connection) + 1)
            for version in fresh:
                _write(connection, version, known)
        return fresh[-1] if fresh else latest(known)[experiment.key]

    def stop(self, key: str, reason: str, at: datetime) -> Version:
        """The newest version, stopped for good."""
        with writing(self._store().engine) as connection:
            _lock(connection)
            known = _versions(connection)
            version = stopped(known, key, reason, at, _mark(connection) + 1)
            _write(connection, version, known)
        return version


class MemoryShelf:
    """Experiments of this process alone."""

    def __init__(self) -> None:
        self._versions: dict[tuple[str, int], Version] = {}
        self._sequence = 0
        self._lock = threading.Lock()

    def mark(self) -> int:
        """The number of the last change."""
        return self._sequence

    def versions(self) -> list[Version]:
        """All versions, by key and number."""
        return [version for _, version in sorted(self._versions.items())]

    def put(self, experiment: Experiment, allows: Allows, at: datetime) -> Version:
        """The version that holds from here on."""
        with self._lock:
            for version in changed(self.versions(), experiment, allows, at, self._sequence + 1):
                self._write(version)
            return latest(self.versions())[experiment.key]

    def stop(self, key: str, reason: str, at: datetime) -> Version:
        """The newest version, stopped for good."""
        with self._lock:
            version = stopped(self.versions(), key, reason, at, self._sequence + 1)
            self._write(version)
            return version

    def _write(self, version: Version) -> None:
        self._versions[version.key, version.number] = version
        self._sequence = max(self._sequence, version.sequence)


def _lock(connection: Connection) -> None:
    connection.execute(update(CLOCK).values(sequence=CLOCK.c.sequence))  # the writers' lock


def _mark(connection: Connection) -> int:
    return int(connection.execute(select(func.max(EXPERIMENTS.c.sequence))).scalar() or 0)


def _versions(connection: Connection) -> list[Version]:
    wanted = select(EXPERIMENTS).order_by(EXPERIMENTS.c.key, EXPERIMENTS.c.version)
    return [_version(row) for row in connection.execute(wanted).mappings()]


def _write(connection: Connection, version: Version, known: Sequence[Version]) -> None:
    row = {
        "key": version.key,
        "version": version.number,
        "spec": canonical(version.experiment),
        "state": version.state,
        "created_at": version.created_at,
        "stopped_at": version.stopped_at,
        "stop_reason": version.stop_reason,
        "sequence": version.sequence,
    }
    if any((one.key, one.number) == (version.key, version.number) for one in known):
        place = (EXPERIMENTS.c.key == version.key) & (EXPERIMENTS.c.version == version.number)
        connection.execute(update(EXPERIMENTS).where(place).values(**row))
    else:
        connection.execute(insert(EXPERIMENTS), row)


def _version(row: RowMapping) -> Version:
    return Version(
        experiment=read(row["spec"]),
        number=row["version"],
        state=row["state"],
        created_at=row["created_at"],
        stopped_at=row["stopped_at"],
        stop_reason=row["stop_reason"],
        sequence=row["sequence"],
    )
