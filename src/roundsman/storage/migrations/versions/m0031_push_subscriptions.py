"""Make room for where drivers' phones are told by push that something has changed.

The version before does not know the table: while both run, its changes tell no phone.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "push_subscriptions",
        sa.Column(
            "session_id",
            sa.String(),
            sa.ForeignKey("driver_sessions.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column(
            "organization_id", sa.String(), sa.ForeignKey("organizations.id"), nullable=False
        ),
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("has_news", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("due_at", sa.BigInteger()),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("claimed_by", sa.String()),
    )
    op.create_index("ix_push_subscriptions_driver", "push_subscriptions", ["driver_id"])
    op.create_index("ix_push_subscriptions_due", "push_subscriptions", ["due_at"])
