"""Keep what an idempotent answer said in headers, so that a replay says it too."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; the version before neither reads nor writes it."""
    op.add_column("idempotency_records", sa.Column("headers", sa.Text()))
