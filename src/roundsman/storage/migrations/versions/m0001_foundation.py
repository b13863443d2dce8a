"""Create the first tables: organizations, access, stops, routes, fleet, events and their outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create every table of the foundation."""
    op.create_table(
        "event_payloads",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_payloads")),
    )
    op.create_table(
        "idempotency_records",
        sa.Column("client_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("claim", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("client_id", "key", name=op.f("pk_idempotency_records")),
    )
    op.create_index(
        op.f("ix_idempotency_records_claimed_at"),
        "idempotency_records",
        ["claimed_at"],
        unique=False,
    )
    op.create_table(
        "installation_keys",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_installation_keys")),
    )
    op.create_table(
        "organizations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("webhook_secret", sa.String(), nullable=False),
        sa.Column("routes_counted", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organizations")),
    )
    op.create_table(
        "rate_buckets",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("full_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rate_buckets")),
    )
    op.create_table(
        "api_clients",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_api_clients_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_clients")),
    )
    op.create_table(
        "drivers",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_drivers_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drivers")),
    )
    op.create_index(
        "ix_drivers_created", "drivers", ["organization_id", "created_at", "id"], unique=False
    )
    op.create_table(
        "driver_invites",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["driver_id"],
            ["drivers.id"],
            name=op.f("fk_driver_invites_driver_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_driver_invites")),
    )
    op.create_index(
        op.f("ix_driver_invites_driver_id"), "driver_invites", ["driver_id"], unique=False
    )
    op.create_table(
        "events",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("object_id", sa.String(), nullable=False),
        sa.Column("timestamp", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("payload_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_events_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["payload_id"], ["event_payloads.id"], name=op.f("fk_events_payload_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_object", "events", ["object_id", "timestamp"], unique=False)
    op.create_index(
        "ix_events_time", "events", ["organization_id", "timestamp", "id"], unique=False
    )
    op.create_table(
        "imported_stops",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("client_stop_id", sa.String(), nullable=True),
        sa.Column("imported_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_imported_stops_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imported_stops")),
        sa.UniqueConstraint(
            "organization_id",
            "client_stop_id",
            name=op.f("uq_imported_stops_organization_id_client_stop_id"),
        ),
    )
    op.create_index(
        "ix_imported_stops_imported",
        "imported_stops",
        ["organization_id", "imported_at", "id"],
        unique=False,
    )
    op.create_index(
        "ix_imported_stops_updated",
        "imported_stops",
        ["organization_id", "updated_at", "id"],
        unique=False,
    )
    op.create_table(
        "routes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("scheduled_for", sa.BigInteger(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_routes_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_routes")),
    )
    op.create_index(
        "ix_routes_created", "routes", ["organization_id", "created_at", "id"], unique=False
    )
    op.create_index(
        "ix_routes_scheduled", "routes", ["organization_id", "scheduled_for", "id"], unique=False
    )
    op.create_index(
        "ix_routes_updated", "routes", ["organization_id", "updated_at", "id"], unique=False
    )
    op.create_table(
        "store_orders",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_store_orders_organization_id")
        ),
        sa.PrimaryKeyConstraint("organization_id", "id", name=op.f("pk_store_orders")),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_subscriptions_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscriptions")),
    )
    op.create_index(
        op.f("ix_subscriptions_organization_id"), "subscriptions", ["organization_id"], unique=False
    )
    op.create_table(
        "vehicles",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_vehicles_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vehicles")),
    )
    op.create_index(
        "ix_vehicles_created", "vehicles", ["organization_id", "created_at", "id"], unique=False
    )
    op.create_table(
        "client_secrets",
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("client_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["api_clients.id"], name=op.f("fk_client_secrets_client_id")
        ),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_client_secrets")),
    )
    op.create_index(
        op.f("ix_client_secrets_client_id"), "client_secrets", ["client_id"], unique=False
    )
    op.create_table(
        "outbox",
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("subscription_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_outbox_event_id")),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscriptions.id"],
            name=op.f("fk_outbox_subscription_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("event_id", "subscription_id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_due", "outbox", ["state", "due_at"], unique=False)
    op.create_table(
        "route_stop_origins",
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("origin_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["route_id"],
            ["routes.id"],
            name=op.f("fk_route_stop_origins_route_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("stop_id", name=op.f("pk_route_stop_origins")),
    )
    op.create_index(
        "ix_route_stop_origins_origin",
        "route_stop_origins",
        ["organization_id", "origin_id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_route_stop_origins_route_id"), "route_stop_origins", ["route_id"], unique=False
    )
    op.create_table(
        "access_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["secret_hash"],
            ["client_secrets.secret_hash"],
            name=op.f("fk_access_tokens_secret_hash"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_access_tokens")),
    )
    op.create_index(
        op.f("ix_access_tokens_expires_at"), "access_tokens", ["expires_at"], unique=False
    )
    op.create_index(
        op.f("ix_access_tokens_secret_hash"), "access_tokens", ["secret_hash"], unique=False
    )
