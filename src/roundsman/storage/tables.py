"""Every table, as the newest migration leaves it.

Moments are stored as whole microseconds since 1970, which both databases order and compare alike.
A noun's own JSON stands in `body`; columns beside it are what queries ask for.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def as_micros(instant: datetime) -> int:
    """Return an instant as both databases store it."""
    return (instant - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the moment that both databases store as so many microseconds."""
    return _EPOCH + timedelta(microseconds=int(micros))


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept as microseconds since 1970."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an instant into microseconds."""
        del dialect
        return None if value is None else as_micros(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Turn microseconds into an instant."""
        del dialect
        return None if value is None else from_micros(value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

organizations = Table(
    "organizations",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("timezone", String, nullable=False),
    Column("webhook_secret", String, nullable=False),
    Column("next_webhook_secret", String),
    Column("routes_counted", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("stored_bytes", BigInteger, nullable=False, server_default="0"),
    Column("measured_at", Instant),
    Column("settings", Text),  # JSON; none where nothing was ever set
    Column("logo_id", String),
    Column("messages", Text),  # JSON; none where nothing was ever set
    Column("message_secrets", Text),  # headers of the gateway, JSON, sealed
    Column("simulated_until", Instant),  # by the real clock; none where no day is simulated
)

api_clients = Table(
    "api_clients",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("email", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("scopes", String),  # separated by spaces; none is all
)

client_secrets = Table(
    "client_secrets",
    metadata,
    Column("secret_hash", LargeBinary, primary_key=True),
    Column("client_id", String, ForeignKey("api_clients.id"), nullable=False, index=True),
    Column("created_at", Instant, nullable=False),
)

access_tokens = Table(
    "access_tokens",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column(
        "secret_hash",
        LargeBinary,
        ForeignKey("client_secrets.secret_hash", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("expires_at", Instant, nullable=False, index=True),
    Column("scopes", String),  # separated by spaces; none is what the client may
)

imported_stops = Table(
    "imported_stops",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("client_stop_id", String),
    Column("imported_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
    Column("search_text", Text),  # as domain.search_text makes it; none in rows from before
    Column("tags", Text),
    Column("delivery_date", String),
    UniqueConstraint("organization_id", "client_stop_id"),
    Index("ix_imported_stops_imported", "organization_id", "imported_at", "id"),
    Index("ix_imported_stops_updated", "organization_id", "updated_at", "id"),
)

routes = Table(
    "routes",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("scheduled_for", Instant, nullable=False),
    Column("archived_at", Instant),
    Column("dispatched_until", Instant),
    Column("driver_id", String),
    Column("vehicle_id", String),  # none in rows that were not saved since there is this column
    Column("body", Text, nullable=False),
    Column("status", String),  # derived from the stops; lists filter by it
    Index("ix_routes_dispatched", "organization_id", "dispatched_until", "id"),
    Index("ix_routes_created", "organization_id", "created_at", "id"),
    Index("ix_routes_updated", "organization_id", "updated_at", "id"),
    Index("ix_routes_scheduled", "organization_id", "scheduled_for", "id"),
    Index("ix_routes_driver", "organization_id", "driver_id", "created_at", "id"),
    Index("ix_routes_vehicle", "organization_id", "vehicle_id", "created_at", "id"),
    Index("ix_routes_status", "organization_id", "status", "created_at", "id"),
)

route_search = Table(
    "route_search",
    metadata,
    Column("route_id", String, primary_key=True),
    Column("organization_id", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("tags", Text, nullable=False),
)
"""What routes are searched by. A table of its own, because SQLite reads a row from its front, and
a route's body takes up to 8 MiB there."""

route_stop_origins = Table(
    "route_stop_origins",
    metadata,
    Column("stop_id", String, primary_key=True),
    Column(
        "route_id", String, ForeignKey("routes.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("organization_id", String, nullable=False),
    Column("origin_id", String, nullable=False),
    Index("ix_route_stop_origins_origin", "organization_id", "origin_id"),
)

changes = Table(
    "changes",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", String, nullable=False),
    Column("object_id", String, nullable=False),
    Column("route_id", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("topic", String, nullable=False),
)

unrouted_stops = Table(
    "unrouted_stops",
    metadata,
    Column(
        "stop_id", String, ForeignKey("imported_stops.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("organization_id", String, nullable=False),
    Column("imported_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Index("ix_unrouted_stops_imported", "organization_id", "imported_at", "stop_id"),
    Index("ix_unrouted_stops_updated", "organization_id", "updated_at", "stop_id"),
    info={"kept_by_triggers": True},
)
"""The imported stops on no route. Triggers keep it; nobody else writes it."""

drivers = Table(
    "drivers",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("status", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_drivers_created", "organization_id", "created_at", "id"),
)

driver_invites = Table(
    "driver_invites",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column(
        "driver_id",
        String,
        ForeignKey("drivers.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("expires_at", Instant, nullable=False),
)

vehicles = Table(
    "vehicles",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_vehicles_created", "organization_id", "created_at", "id"),
)

event_payloads = Table(
    "event_payloads",
    metadata,
    Column("id", String, primary_key=True),
    Column("body", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("topic", String, nullable=False),
    Column("object_id", String, nullable=False),
    Column("timestamp", Instant, nullable=False),
    Column("actor", Text, nullable=False),
    Column("payload_id", String, ForeignKey("event_payloads.id"), index=True),
    Column("summary", Text),  # JSON; none for a test, and for what a version before this recorded
    Index("ix_events_time", "organization_id", "timestamp", "id"),
    Index("ix_events_object", "object_id", "timestamp"),
)

# In the database it keeps the name that the version before this one reads and writes.
webhook_subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False, index=True),
    Column("active", Boolean, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
    Column("answered_at", Instant),
    Column("failing_since", Instant),
    Column("dropped_in_row", Integer, nullable=False, server_default="0"),
    Column("payload_form", String, nullable=False, server_default="FULL"),
    Column("filter", Text),  # JSON; none where the webhook has no filter
    Column("secret", String),  # sealed; none where the organization's signs
    Column("next_secret", String),  # sealed; while the secret is replaced
)

outbox = Table(
    "outbox",
    metadata,
    Column("event_id", String, ForeignKey("events.id"), primary_key=True),
    Column(
        "subscription_id",
        String,
        ForeignKey("subscriptions.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("state", String, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("claimed_by", String),
    Column("attempts_before", Integer, nullable=False, server_default="0"),
    Index("ix_outbox_due", "state", "due_at"),
    Index("ix_outbox_receiver", "subscription_id", "state", "due_at"),
)

delivery_attempts = Table(
    "delivery_attempts",
    metadata,
    Column("event_id", String, primary_key=True),
    Column("subscription_id", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("started_at", Instant, nullable=False),
    Column("duration_micros", BigInteger, nullable=False),
    Column("status", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("error_type", Text),  # none where there is no error, or an older version noted it
    ForeignKeyConstraint(
        ["event_id", "subscription_id"],
        ["outbox.event_id", "outbox.subscription_id"],
        ondelete="CASCADE",
    ),
)

organization_logos = Table(
    "organization_logos",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False, unique=True),
    Column("media_type", String, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

tracking_links = Table(
    "tracking_links",
    metadata,
    Column("stop_id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("times_revoked", Integer, nullable=False),
    Column("origin_id", String, nullable=False),
    Column("removed_at", Instant),  # none while the stop is on a route
    Index("ix_tracking_links_removed", "organization_id", "removed_at"),
)
"""What is known of the links to stops beside the stops: only of those that were revoked, and of
stops that are on no route any more."""

store_orders = Table(
    "store_orders",
    metadata,
    Column("organization_id", String, ForeignKey("organizations.id"), primary_key=True),
    Column("id", String, primary_key=True),
    Column("updated_at", Instant, nullable=False),
    Column("body", Text, nullable=False),
    # What a list is asked for; none where the version before this one has written the row.
    Column("state", String, nullable=False, server_default="OPEN"),
    Column("delivery_date", String),
    Column("location", String, nullable=False, server_default=""),
    Column("tags", Text, nullable=False, server_default=""),
    Column("search_text", Text, nullable=False, server_default=""),
    Index("ix_store_orders_updated", "organization_id", "updated_at", "id"),
    Index("ix_store_orders_day", "organization_id", "delivery_date", "id"),
)

installation_keys = Table(
    "installation_keys",
    metadata,
    Column("name", String, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

rate_buckets = Table(
    "rate_buckets",
    metadata,
    Column("key", String, primary_key=True),
    Column("full_at", BigInteger, nullable=False),
)

idempotency_records = Table(
    "idempotency_records",
    metadata,
    Column("client_id", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("claim", String, nullable=False),
    Column("answer", Text),
    Column("claimed_at", Instant, nullable=False, index=True),
    Column("headers", Text),  # JSON; none where the answer says nothing in headers
)

geocoder_answers = Table(
    "geocoder_answers",
    metadata,
    Column("provider", String, primary_key=True),
    Column("address_hash", LargeBinary, primary_key=True),
    Column("answer", Text, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("payload", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("state", String, nullable=False),  # PENDING while queued or running: see `claimed_by`
    Column("attempts", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),  # of one that has ended: when it did
    Column("claimed_by", String),
    Column("is_cancel_requested", Boolean, nullable=False),
    Column("progress", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Index("ix_jobs_due", "state", "due_at"),
    Index("ix_jobs_organization", "organization_id", "state", "due_at"),
)

plans = Table(
    "plans",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("status", String, nullable=False),
    Column("expires_at", Instant),  # none while it runs, and once it is applied
    Column("job_id", String, nullable=False),
    Column("is_cancel_requested", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Column("progress", Text, nullable=False),  # apart, for it is written every second
    Column("input", Text, nullable=False),
    Column("proposal", Text),
    Index("ix_plans_created", "organization_id", "created_at", "id"),
    Index("ix_plans_status", "organization_id", "status", "created_at", "id"),
)

proposed_changes = Table(
    "proposed_changes",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("is_import", Boolean, nullable=False),
    Column("is_made", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_proposed_changes_expired", "organization_id", "expires_at"),
)

security_events = Table(
    "security_events",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("at", Instant, nullable=False),
    Column("principal_kind", String, nullable=False),
    Column("principal_id", String, nullable=False),
    Column("principal_email", String, nullable=False),
    Column("address", String, nullable=False),
    Column("user_agent", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("times", Integer, nullable=False),
    Column("last_at", Instant, nullable=False),
    Index("ix_security_events_time", "organization_id", "at", "id"),
    Index("ix_security_events_kind", "organization_id", "kind", "at", "id"),
)
