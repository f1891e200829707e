"""What was last seen of each link."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.store.tables import Instant

revision = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    """Makes the table, empty."""
    op.create_table(
        "visits",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("checked_at", Instant, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("final_url", sa.Text),
        sa.Column("detail", sa.Text),
        sa.Column("etag", sa.Text),
        sa.Column("last_modified", sa.Text),
        sa.Column("content_hash", sa.Text),
        sa.Column("changed_at", Instant),
        sa.Column("gone_since", Instant),
        sa.Column("gone_at", Instant),
    )
