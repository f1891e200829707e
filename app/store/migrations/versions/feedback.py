"""What was served, what became of it, and who asked not to be remembered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.store.tables import Identifier, Instant, Number

revision = "0005"
down_revision: str | None = "0004"


def upgrade() -> None:
    """Makes the tables, empty."""
    _exposures()
    _arms()
    _events()
    op.create_table(
        "erasures",
        sa.Column("unit", Identifier, primary_key=True),
        sa.Column("at", Instant, nullable=False),
    )


def _exposures() -> None:
    op.create_table(
        "exposures",
        sa.Column("query_id", Identifier, primary_key=True),
        sa.Column("at", Instant, nullable=False),
        sa.Column("unit", Identifier),
        sa.Column("session", Identifier),
        sa.Column("consent", sa.Boolean, nullable=False),
        sa.Column("text", sa.Text),
        sa.Column("filters", sa.Text),
        sa.Column("query_hash", Identifier, nullable=False),
        sa.Column("lang", sa.Text),
        sa.Column("system", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("precision", sa.Text),
        sa.Column("offset", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("hits", sa.Text, nullable=False),
        sa.Column("total", Number, nullable=False),
        sa.Column("total_ms", sa.Float, nullable=False),
        sa.Column("degraded", sa.Text, nullable=False),
        sa.Column("flag", sa.Text),
    )
    op.create_index("ix_exposures_at", "exposures", ["at"])
    op.create_index("ix_exposures_unit", "exposures", ["unit"])


def _arms() -> None:
    op.create_table(
        "exposure_arms",
        sa.Column("key", Identifier, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("query_id", Identifier, primary_key=True),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("bucket", sa.Integer),
        sa.Column("unit", Identifier),
        sa.Column("at", Instant, nullable=False),
    )
    op.create_index("ix_exposure_arms_query_id", "exposure_arms", ["query_id"])
    op.create_index("ix_exposure_arms_version_at", "exposure_arms", ["key", "version", "at"])


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("event_id", Identifier, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("query_id", Identifier, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("doc_id", Identifier),
        sa.Column("rank", sa.Integer),
        sa.Column("shown_rank", sa.Integer),
        sa.Column("dwell_ms", Number),
        sa.Column("at", Instant),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("unit", Identifier),
        sa.Column("session", Identifier),
        sa.Column("flag", sa.Text),
    )
    op.create_index("ix_events_query_id", "events", ["query_id"])
    op.create_index("ix_events_received_at", "events", ["received_at"])
    op.create_index("ix_events_unit", "events", ["unit"])
