"""Keep when and by whom a kept action of a driver was ticked off.

The version before does not know it, and lists such actions as before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Add the columns; nothing is ticked off."""
    op.add_column("driver_actions", sa.Column("resolved_at", sa.BigInteger()))
    op.add_column("driver_actions", sa.Column("resolved_by", sa.Text()))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("driver_actions", "resolved_by")
    op.drop_column("driver_actions", "resolved_at")
