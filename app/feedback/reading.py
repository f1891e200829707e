"""Rows of the store as `outcome` wants them: what was served in a stretch of time, what became of it, in which arms."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, select

from app.store.tables import EVENTS, EXPOSURE_ARMS, EXPOSURES

from .outcome import Deed, Served

Arm = tuple[str, int, str]
"""Key, version and variant."""

_PAGE = [
    *(EXPOSURES.c.query_id, EXPOSURES.c.at, EXPOSURES.c.unit, EXPOSURES.c.session, EXPOSURES.c.query_hash),
    *(EXPOSURES.c.offset, EXPOSURES.c.shown, EXPOSURES.c.total_ms, EXPOSURES.c.degraded, EXPOSURES.c.flag),
]


def served_between(
    connection: Connection, since: datetime, until: datetime, most: int | None = None
) -> list[Served]:
    """The pages served from `since` up to before `until`, newest first; the newest `most` where there are more."""
    wanted = select(*_PAGE).where(_within(since, until)).order_by(EXPOSURES.c.at.desc(), EXPOSURES.c.query_id)
    return [
        Served(
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
        for row in connection.execute(wanted.limit(most)).mappings()
    ]


def deeds_between(connection: Connection, since: datetime, until: datetime) -> list[Deed]:
    """The events, flagged ones with them, of the pages served in that stretch; whenever they came."""
    wanted = select(EVENTS).join(EXPOSURES, EXPOSURES.c.query_id == EVENTS.c.query_id)
    return [
        Deed(
            query_id=row["query_id"],
            type=row["type"],
            doc_id=row["doc_id"],
            rank=row["shown_rank"],
            dwell_ms=row["dwell_ms"],
            at_s=(row["at"] or row["received_at"]).timestamp(),
            flag=row["flag"],
        )
        for row in connection.execute(wanted.where(_within(since, until))).mappings()
    ]


def arms_between(connection: Connection, since: datetime, until: datetime) -> dict[str, list[Arm]]:
    """The arms of each page served in that stretch, by query id."""
    arms = EXPOSURE_ARMS.c
    wanted = select(arms.query_id, arms.key, arms.version, arms.variant)
    found: dict[str, list[Arm]] = defaultdict(list)
    for query_id, *arm in connection.execute(wanted.where(arms.at >= since, arms.at < until)):
        found[query_id].append((arm[0], arm[1], arm[2]))
    return found


def _within(since: datetime, until: datetime) -> ColumnElement[bool]:
    return (EXPOSURES.c.at >= since) & (EXPOSURES.c.at < until)
