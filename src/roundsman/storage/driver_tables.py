"""The tables of the driver's side: devices, journal, positions, uploads and attachments."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from roundsman.storage.tables import Instant, metadata

__all__ = [
    "attachments",
    "driver_actions",
    "driver_positions",
    "driver_sessions",
    "live_routes",
    "metadata",
    "push_subscriptions",
    "upload_parts",
    "uploads",
]

driver_sessions = Table(
    "driver_sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("id", String, nullable=False),
    Column(
        "driver_id",
        String,
        ForeignKey("drivers.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("device", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("seen_at", Instant),
    Column("heard_to", BigInteger, nullable=False, server_default="0"),
    Column("restore_hash", LargeBinary, index=True, unique=True),
    Column("is_tracker", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("id"),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column(
        "session_id",
        String,
        ForeignKey("driver_sessions.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("driver_id", String, nullable=False),
    Column("endpoint", Text, nullable=False),  # sealed: whoever knows it may send there
    Column("has_news", Boolean, nullable=False, server_default=false()),  # since it was told last
    Column("due_at", Instant),  # none where nothing is to be told
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("claimed_by", String),
    Index("ix_push_subscriptions_driver", "driver_id"),
    Index("ix_push_subscriptions_due", "due_at"),
)

driver_actions = Table(
    "driver_actions",
    metadata,
    Column("driver_id", String, ForeignKey("drivers.id"), primary_key=True),
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("session_id", String, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("route_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("slot", String, nullable=False),
    Column("upload_id", String, nullable=False),
    Column("at", Instant, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("outcome", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("message", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("content", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("resolved_at", Instant),
    Column("resolved_by", Text),
    Index("ix_driver_actions_received", "organization_id", "received_at", "id"),
    Index("ix_driver_actions_route", "route_id", "reason"),
    Index("ix_driver_actions_slot", "route_id", "slot"),
    Index("ix_driver_actions_session", "session_id", "sequence"),
    Index(
        "ix_driver_actions_position",
        "driver_id",
        "at",
        sqlite_where=text("kind = 'POSITION'"),
        postgresql_where=text("kind = 'POSITION'"),
    ),
)

driver_positions = Table(
    "driver_positions",
    metadata,
    Column("driver_id", String, primary_key=True),
    Column("at", Instant, primary_key=True),
    Column("organization_id", String, nullable=False),
    Column("route_id", String, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("longitude", Float, nullable=False),
    Column("accuracy_meters", Float, nullable=False),
    Index("ix_driver_positions_route", "route_id", "at"),
    sqlite_with_rowid=False,
)
"""Where drivers were. Nothing refers to a route's row, so that nobody waits for it."""

live_routes = Table(
    "live_routes",
    metadata,
    Column("route_id", String, primary_key=True),
    Column("organization_id", String, nullable=False),
    Column("driver_id", String, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("at", Instant, nullable=False),
    Column("saved_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_live_routes_saved", "organization_id", "saved_at"),
)
"""What changes of a route under way without changing the route: where its driver is, and when the
stops ahead are expected."""

uploads = Table(
    "uploads",
    metadata,
    Column("driver_id", String, ForeignKey("drivers.id"), primary_key=True),
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("sha256", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),
    Column("received", Integer, nullable=False),
    Column("created_at", Instant, nullable=False, index=True),
    Column("attachment_id", String),
)

upload_parts = Table(
    "upload_parts",
    metadata,
    Column("driver_id", String, primary_key=True),
    Column("upload_id", String, primary_key=True),
    Column("offset", Integer, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

attachments = Table(
    "attachments",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("url", Text, nullable=False),
    Column("media_type", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("data", LargeBinary, nullable=False),
    UniqueConstraint("token_hash"),
)
