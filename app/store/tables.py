"""The tables of the store as the queries see them; the migrations make them."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeDecorator

METADATA = MetaData()

# Ids are ordered by code point everywhere, whatever the language of the database.
Identifier = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
Number = BigInteger().with_variant(Integer(), "sqlite")


class Instant(TypeDecorator[datetime]):
    """An aware instant in UTC; SQLite, which keeps no zone, gives it back all the same."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant in UTC. Raises ValueError for one without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no zone: the store keeps instants")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The instant, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# record: the canonical JSON of the record; content_hash is its SHA-256 without `updated_at`.
# shipped_hash: the content the shipped catalogue gave last; a row whose content is another is the operator's.
# sequence: the number of the row's last change, in the order in which changes became visible.
# programme: the programme that links make the record a part of; None leaves it what it states itself.
# linked_hash: the content that was last compared with the other records; None when it never was.
OPPORTUNITIES = Table(
    "opportunities",
    METADATA,
    Column("doc_id", Identifier, primary_key=True),
    Column("record", Text, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("shipped_hash", Text),
    Column("source", Text),
    Column("licence", Text),
    Column("verified_on", Date),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("deleted_at", Instant),
    Column("sequence", Number, nullable=False, unique=True),
    Column("programme", Text),
    Column("linked_hash", Text),
)

# Pairs of records in ascending order of id. verdict: linked (by the rules), joined or apart (by an operator, for good).
LINKS = Table(
    "links",
    METADATA,
    Column("first_id", Identifier, primary_key=True),
    Column("second_id", Identifier, primary_key=True, index=True),
    Column("verdict", Text, nullable=False),
    Column("score", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Instant, nullable=False),
)

# What a record is looked up by when another one comes that may be the same programme.
LINK_KEYS = Table(
    "link_keys",
    METADATA,
    Column("key", Number, primary_key=True, autoincrement=False),
    Column("doc_id", Identifier, primary_key=True, index=True),
)

REVISIONS = Table(
    "revisions",
    METADATA,
    Column("sequence", Number, primary_key=True, autoincrement=False),
    Column("doc_id", Identifier, nullable=False, index=True),
    Column("at", Instant, nullable=False),
    Column("source", Text),
    Column("kind", Text, nullable=False),
    Column("changes", Text, nullable=False),
    Column("sentence", Text, nullable=False),
)

LINKED_UP_TO = "linked_up_to"
"""A note: the last change that has been looked at for links."""

META = Table("meta", METADATA, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

# One row. Whoever writes locks it first, so numbers become visible in their own order.
CLOCK = Table(
    "clock",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("sequence", Number, nullable=False),
)

# What was last seen of each link. key: the SHA-256 of the address, which may be too long for an index.
# changed_at: when the page's words were last seen to differ. gone_since, gone_at: the first and the last look that
# found it gone since it was last there.
VISITS = Table(
    "visits",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("checked_at", Instant, nullable=False),
    Column("state", Text, nullable=False),
    Column("status", Integer),
    Column("final_url", Text),
    Column("detail", Text),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("content_hash", Text),
    Column("changed_at", Instant),
    Column("gone_since", Instant),
    Column("gone_at", Instant),
)

# One row a version. spec: its canonical JSON. sequence: the number of the row's last change among all experiments, by
# which other processes notice it; a version that is not stopped runs between the dates of its spec.
EXPERIMENTS = Table(
    "experiments",
    METADATA,
    Column("key", Identifier, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("spec", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("stopped_at", Instant),
    Column("stop_reason", Text),
    Column("sequence", Number, nullable=False, unique=True),
)

# One row per page of hits that was served. unit, session, query_hash: keyed hashes; null = not given. text, filters:
# only where the asker consented. shown: the number of hits; hits: JSON [[doc_id, rank, propensity, team]].
# flag: why the row is not counted ("bot", "forced"); null = it is.
EXPOSURES = Table(
    "exposures",
    METADATA,
    Column("query_id", Identifier, primary_key=True),
    Column("at", Instant, nullable=False, index=True),
    Column("unit", Identifier, index=True),
    Column("session", Identifier),
    Column("consent", Boolean, nullable=False),
    Column("text", Text),
    Column("filters", Text),
    Column("query_hash", Identifier, nullable=False),
    Column("lang", Text),
    Column("system", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("precision", Text),
    Column("offset", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("hits", Text, nullable=False),
    Column("total", Number, nullable=False),
    Column("total_ms", Float, nullable=False),
    Column("degraded", Text, nullable=False),
    Column("flag", Text),
)

# The arms of an exposure. unit: what the experiment assigned, a person or a session, as a keyed hash.
EXPOSURE_ARMS = Table(
    "exposure_arms",
    METADATA,
    Column("key", Identifier, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("query_id", Identifier, primary_key=True, index=True),
    Column("variant", Text, nullable=False),
    Column("bucket", Integer),
    Column("unit", Identifier),
    Column("at", Instant, nullable=False),
    Index("ix_exposure_arms_version_at", "key", "version", "at"),
)

# What became of hits. digest: of the content as sent, by which a repetition is told from a contradiction.
# rank, at: as the client said; shown_rank: where the hit stood in the answer. unit, session: of the exposure.
# flag: why the event is not counted; null = it is.
EVENTS = Table(
    "events",
    METADATA,
    Column("event_id", Identifier, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("query_id", Identifier, nullable=False, index=True),
    Column("type", Text, nullable=False),
    Column("doc_id", Identifier),
    Column("rank", Integer),
    Column("shown_rank", Integer),
    Column("dwell_ms", Number),
    Column("at", Instant),
    Column("received_at", Instant, nullable=False, index=True),
    Column("unit", Identifier, index=True),
    Column("session", Identifier),
    Column("flag", Text),
)

# Units whose rows were erased, and until when: what arrives late of the time before is not kept either.
ERASURES = Table(
    "erasures",
    METADATA,
    Column("unit", Identifier, primary_key=True),
    Column("at", Instant, nullable=False),
)
