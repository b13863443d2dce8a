"""Tell apart sessions that may do nothing but tell where a driver is.

The version before does not know the column, and lets such a session do what a device may.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the column; every session that there is belongs to a device."""
    op.add_column(
        "driver_sessions",
        sa.Column("is_tracker", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
