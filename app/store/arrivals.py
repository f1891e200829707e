"""When each source last changed the store."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select

from .engine import reading
from .store import Store
from .tables import OPPORTUNITIES


def last_arrivals(store: Store) -> dict[str | None, datetime]:
    """The newest change of a present record, by who sent it; None stands for senders without a name."""
    wanted = (
        select(OPPORTUNITIES.c.source, func.max(OPPORTUNITIES.c.updated_at))
        .where(OPPORTUNITIES.c.deleted_at.is_(None))
        .group_by(OPPORTUNITIES.c.source)
    )
    with reading(store.engine) as connection:
        return {row[0]: row[1] for row in connection.execute(wanted)}
