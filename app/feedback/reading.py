"""Rows of the store as `outcome` wants them: what was served in a stretch of time, what became of it, in which arms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, select

from app.store.tables import EVENTS, EXPOSURE_ARMS, EXPOSURES

from .outcome import Deed, Served

Arm = tuple[str, int, str]
"""Key, version and variant."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of an experiment. assigned: the unit that chose the arm. lang: "" = not known."""

    served: Served
    variant: str
    assigned: str | None
    lang: str


_PAGE = [
    *(EXPOSURES.c.query_id, EXPOSURES.c.at, EXPOSURES.c.unit, EXPOSURES.c.session, EXPOSURES.c.query_hash),
    *(EXPOSURES.c.offset, EXPOSURES.c.shown, EXPOSURES.c.total_ms, EXPOSURES.c.degraded, EXPOSURES.c.flag),
]


def served_between(
    connection: Connection, since: datetime, until: datetime, most: int | None = None
) -> list[Served]:
    """The pages served from `since` up to before `until`, newest first; the newest `most` where there are more."""
    wanted = select(*_PAGE).where(_within(since, until)).order_by(EXPOSURES.c.at.desc(), EXPOSURES.c.query_id)
    return [_served(row) for row in connection.execute(wanted.limit(most)).mappings()]


def served_in(connection: Connection, key: str, version: int, until: datetime) -> list[Page]:
    """The pages of one version of an experiment that were served before `until`, by time."""
    arms = EXPOSURE_ARMS.c
    wanted = select(*_PAGE, EXPOSURES.c.lang, arms.variant, arms.unit.label("assigned"))
    wanted = wanted.join(EXPOSURES, EXPOSURES.c.query_id == arms.query_id)
    wanted = wanted.where(arms.key == key, arms.version == version, arms.at < until)
    rows = connection.execute(wanted.order_by(EXPOSURES.c.at, EXPOSURES.c.query_id)).mappings()
    return [Page(_served(row), row["variant"], row["assigned"], row["lang"] or "") for row in rows]


def deeds_in(connection: Connection, key: str, version: int, until: datetime) -> list[Deed]:
    """The events of those pages, whenever they came."""
    arms = EXPOSURE_ARMS.c
    wanted = select(EVENTS).join(EXPOSURE_ARMS, arms.query_id == EVENTS.c.query_id)
    wanted = wanted.where(arms.key == key, arms.version == version, arms.at < until)
    return [_deed(row) for row in connection.execute(wanted).mappings()]


def served_to(
    connection: Connection, key: str, version: int, since: datetime, until: datetime
) -> list[Served]:
    """The pages served in a stretch of time to the units that one version of an experiment assigned."""
    wanted = select(*_PAGE).where(_within(since, until), EXPOSURES.c.unit.in_(_assigned(key, version)))
    return [_served(row) for row in connection.execute(wanted).mappings()]


def deeds_of(connection: Connection, key: str, version: int, since: datetime, until: datetime) -> list[Deed]:
    """The events of those pages."""
    wanted = select(EVENTS).join(EXPOSURES, EXPOSURES.c.query_id == EVENTS.c.query_id)
    wanted = wanted.where(_within(since, until), EXPOSURES.c.unit.in_(_assigned(key, version)))
    return [_deed(row) for row in connection.execute(wanted).mappings()]


def deeds_between(connection: Connection, since: datetime, until: datetime) -> list[Deed]:
    """The events, flagged ones with them, of the pages served in that stretch; whenever they came."""
    wanted = select(EVENTS).join(EXPOSURES, EXPOSURES.c.query_id == EVENTS.c.query_id)
    return [_deed(row) for row in connection.execute(wanted.where(_within(since, until))).mappings()]


def arms_between(connection: Connection, since: datetime, until: datetime) -> dict[str, list[Arm]]:
    """The arms of each page served in that stretch, by query id."""
    arms = EXPOSURE_ARMS.c
    wanted = select(arms.query_id, arms.key, arms.version, arms.variant)
    found: dict[str, list[Arm]] = defaultdict(list)
    for query_id, *arm in connection.execute(wanted.where(arms.at >= since, arms.at < until)):
        found[query_id].append((arm[0], arm[1], arm[2]))
    return found


def _served(row: RowMapping) -> Served:
    return Served(
        query_id=row["query_id"],
        at_s=row["at"].timestamp(),
        unit=row["unit"],
        session=row["session"],
        query_hash=row["query_hash"],
        offset=row["offset"],
        shown=row["shown"],
        total_ms=row["total_ms"],
        degraded=row["degraded"] != "[]",
        flag=row["flag"],
    )


def _deed(row: RowMapping) -> Deed:
    return Deed(
        query_id=row["query_id"],
        type=row["type"],
        doc_id=row["doc_id"],
        rank=row["shown_rank"],
        dwell_ms=row["dwell_ms"],
        at_s=(row["at"] or row["received_at"]).timestamp(),
        flag=row["flag"],
    )


def _assigned(key: str, version: int) -> Select[tuple[str | None]]:
    arms = EXPOSURE_ARMS.c
    return select(arms.unit).where(arms.key == key, arms.version == version).distinct()


def _within(since: datetime, until: datetime) -> ColumnElement[bool]:
    return (EXPOSURES.c.at >= since) & (EXPOSURES.c.at < until)
