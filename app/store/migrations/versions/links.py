"""Links between records of one programme, what they are looked up by, and the programme they make."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.store.tables import Identifier, Instant, Number

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Makes the tables of links, empty; the next pass over the records fills them."""
    op.add_column("opportunities", sa.Column("programme", sa.Text))
    op.add_column("opportunities", sa.Column("linked_hash", sa.Text))
    op.create_table(
        "links",
        sa.Column("first_id", Identifier, primary_key=True),
        sa.Column("second_id", Identifier, primary_key=True),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
    )
    op.create_index("ix_links_second_id", "links", ["second_id"])
    op.create_table(
        "link_keys",
        sa.Column("key", Number, primary_key=True, autoincrement=False),
        sa.Column("doc_id", Identifier, primary_key=True),
    )
    op.create_index("ix_link_keys_doc_id", "link_keys", ["doc_id"])
