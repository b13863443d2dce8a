"""Make room for what signs a driver's browser in again when it has lost its storage.

The version before does not know the column: a session that it makes cannot be restored.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the column, and find a session by it."""
    op.add_column("driver_sessions", sa.Column("restore_hash", sa.LargeBinary()))
    op.create_index(
        op.f("ix_driver_sessions_restore_hash"), "driver_sessions", ["restore_hash"], unique=True
    )
