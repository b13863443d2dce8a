"""Make room for messages to customers: what is set, what is sent, what was promised, who declined.

The version before does not know the column and tables: changes that it makes tell nobody anything.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def _owner(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["organization_id"],
        ["organizations.id"],
        name=op.f(f"fk_{table}_organization_id_organizations"),
    )


def upgrade() -> None:
    """Add the column and create the tables."""
    op.add_column("organizations", sa.Column("messages", sa.Text()))
    op.add_column("organizations", sa.Column("message_secrets", sa.Text()))
    op.create_table(
        "messages",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("moment", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_by", sa.String()),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger()),
        _owner("messages"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sa.UniqueConstraint(
            "stop_id",
            "moment",
            "channel",
            "epoch",
            name=op.f("uq_messages_stop_id_moment_channel_epoch"),
        ),
    )
    op.create_index("ix_messages_due", "messages", ["status", "due_at"])
    op.create_index("ix_messages_created", "messages", ["organization_id", "created_at", "id"])
    op.create_table(
        "message_promises",
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("slips_at", sa.BigInteger(), nullable=False),
        sa.Column("slips", sa.Integer(), nullable=False),
        _owner("message_promises"),
        sa.PrimaryKeyConstraint("stop_id", name=op.f("pk_message_promises")),
    )
    op.create_index(
        "ix_message_promises_route", "message_promises", ["organization_id", "route_id"]
    )
    op.create_index("ix_message_promises_slips", "message_promises", ["slips_at"])
    op.create_table(
        "message_suppressions",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("recipient_hash", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _owner("message_suppressions"),
        sa.PrimaryKeyConstraint(
            "organization_id", "channel", "recipient_hash", name=op.f("pk_message_suppressions")
        ),
    )
