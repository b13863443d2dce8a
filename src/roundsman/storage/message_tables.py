"""The tables of messages to customers; no row of theirs says who a customer is."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from roundsman.storage.tables import Instant, metadata

messages = Table(
    "messages",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("stop_id", String, nullable=False),
    Column("route_id", String, nullable=False),  # on which the stop was then
    Column("moment", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("epoch", Integer, nullable=False),  # 1, and 2 of the second time that it slips
    Column("status", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("claimed_by", String),
    Column("last_error", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("sent_at", Instant),
    UniqueConstraint("stop_id", "moment", "channel", "epoch"),
    Index("ix_messages_due", "status", "due_at"),
    Index("ix_messages_created", "organization_id", "created_at", "id"),
)

message_promises = Table(
    "message_promises",
    metadata,
    Column("stop_id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("route_id", String, nullable=False),
    Column("slips_at", Instant, nullable=False),
    Column("slips", Integer, nullable=False),
    Index("ix_message_promises_route", "organization_id", "route_id"),
    Index("ix_message_promises_slips", "slips_at"),
)

message_suppressions = Table(
    "message_suppressions",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("channel", String, primary_key=True),
    Column("recipient_hash", String, primary_key=True),
    Column("reason", String, nullable=False),
    Column("created_at", Instant, nullable=False),
)
