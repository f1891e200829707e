"""Experiments, version by version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.store.tables import Identifier, Instant, Number

revision = "0004"
down_revision: str | None = "0003"


def upgrade() -> None:
    """Makes the table, empty."""
    op.create_table(
        "experiments",
        sa.Column("key", Identifier, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("stopped_at", Instant),
        sa.Column("stop_reason", sa.Text),
        sa.Column("sequence", Number, nullable=False, unique=True),
    )
