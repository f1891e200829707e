"""Taking rows away again: of one person who asks for it, and of everybody after so many days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update

from app.store import Store
from app.store.engine import writing
from app.store.tables import CLOCK, ERASURES, EVENTS, EXPOSURE_ARMS, EXPOSURES


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many rows are gone."""

    searches: int
    events: int


def erase(store: Store, unit: str, at: datetime) -> Forgotten:
    """What was kept of one unit or session, gone, and whatever of the time up to `at` still arrives is not kept.

    unit: as a keyed hash. Raises StoreError, and then nothing is gone.
    """
    of_unit = (EXPOSURES.c.unit == unit) | (EXPOSURES.c.session == unit)
    with writing(store.engine) as connection:
        connection.execute(update(CLOCK).values(sequence=CLOCK.c.sequence))  # nothing may arrive in between
        connection.execute(delete(ERASURES).where(ERASURES.c.unit == unit))
        connection.execute(insert(ERASURES), {"unit": unit, "at": at})
        mine = select(EXPOSURES.c.query_id).where(of_unit)
        whose = EVENTS.c.query_id.in_(mine) | (EVENTS.c.unit == unit) | (EVENTS.c.session == unit)
        events = _gone(connection, EVENTS, whose)
        _gone(connection, EXPOSURE_ARMS, EXPOSURE_ARMS.c.query_id.in_(mine) | (EXPOSURE_ARMS.c.unit == unit))
        return Forgotten(_gone(connection, EXPOSURES, of_unit), events)


def purge(store: Store, before: datetime) -> Forgotten:
    """What was served or received before that instant, gone. Raises StoreError, and then nothing is gone."""
    with writing(store.engine) as connection:
        events = _gone(connection, EVENTS, EVENTS.c.received_at < before)
        _gone(connection, EXPOSURE_ARMS, EXPOSURE_ARMS.c.at < before)
        _gone(connection, ERASURES, ERASURES.c.at < before)
        return Forgotten(_gone(connection, EXPOSURES, EXPOSURES.c.at < before), events)


def _gone(connection: Connection, table: Table, where: ColumnElement[bool]) -> int:
    return connection.execute(delete(table).where(where)).rowcount
