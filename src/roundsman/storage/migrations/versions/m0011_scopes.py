"""Keep what an API client may do; one without scopes may do all.

The version before neither reads nor writes the column: while it serves it lets every client do all.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; clients that are there may do all."""
    op.add_column("api_clients", sa.Column("scopes", sa.String()))
