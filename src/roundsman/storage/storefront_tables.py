"""The tables of storefront connections: shops, their orders, their hints, what they are told."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from roundsman.storage.tables import Instant, metadata

storefronts = Table(
    "storefronts",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("prefix", String, nullable=False),
    Column("body", Text, nullable=False),  # without state, failure and secrets
    Column("credentials", Text, nullable=False),  # sealed
    Column("state", String, nullable=False),
    Column("last_success_at", Instant),
    Column("last_failure", Text),
    Column("failures", Integer, nullable=False),  # in a row
    Column("cursor", Text, nullable=False),
    Column("read_since", Instant, nullable=False),
    Column("reread_at", Instant, nullable=False),
    Column("hooks_at", Instant, nullable=False),
    # A visit is claimed like a job; `not_before` is what the shop itself asked for.
    Column("attempts", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("not_before", Instant, nullable=False),
    Column("claimed_by", String),
    Column("is_wanted_again", Boolean, nullable=False),  # since the visit that goes on began
    UniqueConstraint("organization_id", "prefix"),
    Index("ix_storefronts_due", "state", "due_at"),
)

storefront_orders = Table(
    "storefront_orders",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("store_order_id", String, primary_key=True),
    # None of an order that stayed, on a route, when its shop was disconnected.
    Column("storefront_id", String, ForeignKey("storefronts.id")),
    Column("shop", String, nullable=False),
    Column("external_id", String, nullable=False),
    Column("external_updated_at", Instant, nullable=False),
    Column("fingerprint", String, nullable=False),
    Column("address_mark", String, nullable=False),  # of the address as the shop has it
    UniqueConstraint("storefront_id", "external_id"),
)

storefront_hints = Table(
    "storefront_hints",
    metadata,
    Column("storefront_id", String, ForeignKey("storefronts.id"), primary_key=True),
    Column("external_id", String, primary_key=True),
    Column("hinted_at", Instant, nullable=False),
)

storefront_reports = Table(
    "storefront_reports",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("storefront_id", String, ForeignKey("storefronts.id"), nullable=False),
    Column("number", BigInteger, nullable=False),  # in the order in which things happened
    Column("external_id", String, nullable=False),  # of the order, as its shop calls it
    Column("store_order_id", String, nullable=False),
    Column("stop_id", String, nullable=False),
    Column("step", String, nullable=False),
    Column("happened_at", Instant, nullable=False),
    Column("items", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("status", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("reported_at", Instant),
    Column("fulfillment_id", String, nullable=False),
    Column("remark", Text, nullable=False),
    Column("last_failure", Text),
    Index("ix_storefront_reports_stop", "organization_id", "stop_id"),
    UniqueConstraint("storefront_id", "number"),
    Index("ix_storefront_reports_waiting", "storefront_id", "status", "number"),
    Index("ix_storefront_reports_order", "storefront_id", "external_id", "number"),
)
