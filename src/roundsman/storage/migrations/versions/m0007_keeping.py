"""Count what organizations store, thin positions out, and note when a driver's device was seen.

The version before neither reads nor writes the columns; what it stores meanwhile is counted when
an organization is measured, which is due for each of them.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns, and an index of positions alone."""
    op.add_column(
        "organizations",
        sa.Column("stored_bytes", sa.BigInteger(), nullable=False, server_default="0"),
    )
    op.add_column("organizations", sa.Column("measured_at", sa.BigInteger()))
    op.add_column("driver_sessions", sa.Column("seen_at", sa.BigInteger()))
    op.add_column(
        "driver_sessions",
        sa.Column("heard_to", sa.BigInteger(), nullable=False, server_default="0"),
    )
    # An upgrade signs no device out that is in use: when it was last seen has not been known.
    sessions = sa.table("driver_sessions", sa.column("seen_at", sa.BigInteger()))
    now = datetime.now(UTC)  # noqa: TID251 -- a migration is handed no clock
    op.execute(sessions.update().values(seen_at=int(now.timestamp() * 1_000_000)))
    is_position = sa.text("kind = 'POSITION'")
    op.create_index(
        "ix_driver_actions_position",
        "driver_actions",
        ["driver_id", "at"],
        sqlite_where=is_position,
        postgresql_where=is_position,
    )
