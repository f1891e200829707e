"""All checks, one after another, cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from app.settings import Settings
from models.selftest import ProbeList

from .finding import Finding

Lists = Callable[[], Sequence[ProbeList]]


def examine(
    settings: Settings,
    now: datetime,
    clock: Callable[[], float],
    *,
    load_encoders: bool = True,
    lists: Lists | None = None,
) -> Iterator[Finding]:
    """Every finding, as it is made. The slow ones (encoders are loaded for real) come last.

    lists: what the rungs of the precision ladder are tried on; None = they are not tried.
    A package that cannot be imported becomes a failure of its own instead of ending the examination.
    """
    from . import machine, packages, surroundings

    yield machine.interpreter()
    yield machine.processor()
    yield machine.memory()
    yield machine.disk(settings.home)
    yield packages.packages()
    yield packages.torch_build()
    yield from surroundings.programs()
    yield surroundings.port(settings.host, settings.port)
    yield from _guarded("snapshot", lambda: _snapshot(settings, now))
    yield from _guarded("data", lambda: _data(settings, now))
    yield from _guarded("engines", _engines)
    if load_encoders:
        yield from _guarded("encoders", lambda: _encoders(clock))
    if lists is not None:
        yield from _guarded("precision", lambda: _rungs(lists, clock))


def _guarded(section: str, checks: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    try:
        yield from checks()
    except ImportError as error:
        yield Finding(section, error.name or section, "failure", f"cannot be imported: {error}", "make setup")
    except OSError as error:
        why = f"{error.filename or section}: {error.strerror or error}"
        yield Finding(section, section, "failure", why, "set SCHOLARSEARCH_HOME to a folder that can be read")


def _snapshot(settings: Settings, now: datetime) -> Iterator[Finding]:
    import index.catalogue

    from .snapshot import catalogue, snapshot

    yield snapshot(settings.home, now)
    yield catalogue(Path(index.catalogue.__path__[0]))


def _data(settings: Settings, now: datetime) -> Iterator[Finding]:
    from index.catalogue.shipped import RECORDS

    from .data import data

    yield from data(settings, RECORDS, now)


def _engines() -> Iterator[Finding]:
    from .legs import engines

    yield from engines()


def _encoders(clock: Callable[[], float]) -> Iterator[Finding]:
    from .encoders import encoders

    yield from encoders(clock)


def _rungs(lists: Lists, clock: Callable[[], float]) -> Iterator[Finding]:
    from .rungs import rungs

    yield from rungs(lists, clock)
