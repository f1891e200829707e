"""The first tables: records, their revisions, what the store knows of itself, and the clock of changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.store.tables import Identifier, Instant, Number

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    """Makes the tables in an empty database."""
    op.create_table(
        "opportunities",
        sa.Column("doc_id", Identifier, primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("content_hash", sa.Text, nullable=False),
        sa.Column("shipped_hash", sa.Text),
        sa.Column("source", sa.Text),
        sa.Column("licence", sa.Text),
        sa.Column("verified_on", sa.Date),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("deleted_at", Instant),
        sa.Column("sequence", Number, nullable=False, unique=True),
    )
    op.create_table(
        "revisions",
        sa.Column("sequence", Number, primary_key=True, autoincrement=False),
        sa.Column("doc_id", Identifier, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("source", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("changes", sa.Text, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
    )
    op.create_index("ix_revisions_doc_id", "revisions", ["doc_id"])
    op.create_table(
        "meta",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    clock = op.create_table(
        "clock",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sequence", Number, nullable=False),
    )
    op.bulk_insert(clock, [{"id": 1, "sequence": 0}])
