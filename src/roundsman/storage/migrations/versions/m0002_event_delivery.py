"""Add what sending events needs: claims, attempt history, receivers' health, a second secret.

Every new column has a default or may be absent, so that the previous version still serves.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add columns, the attempt history, and the indexes that claims and housekeeping ask for."""
    op.add_column("organizations", sa.Column("next_webhook_secret", sa.String(), nullable=True))
    op.add_column("subscriptions", sa.Column("answered_at", sa.BigInteger(), nullable=True))
    op.add_column("subscriptions", sa.Column("failing_since", sa.BigInteger(), nullable=True))
    op.add_column(
        "subscriptions",
        sa.Column("dropped_in_row", sa.Integer(), nullable=False, server_default="0"),
    )
    op.add_column("outbox", sa.Column("claimed_by", sa.String(), nullable=True))
    op.add_column(
        "outbox", sa.Column("attempts_before", sa.Integer(), nullable=False, server_default="0")
    )
    op.create_index("ix_outbox_receiver", "outbox", ["subscription_id", "state", "due_at"])
    op.create_index(op.f("ix_events_payload_id"), "events", ["payload_id"])
    op.create_table(
        "delivery_attempts",
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("subscription_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("duration_micros", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id", "subscription_id"],
            ["outbox.event_id", "outbox.subscription_id"],
            name=op.f("fk_delivery_attempts_event_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "event_id", "subscription_id", "number", name=op.f("pk_delivery_attempts")
        ),
    )
