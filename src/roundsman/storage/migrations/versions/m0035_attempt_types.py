"""Keep as what an attempt to send an event failed, beside why in words.

Attempts of before, and those of the version before, have the words alone.
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Add the column."""
    op.add_column("delivery_attempts", sa.Column("error_type", sa.Text()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("delivery_attempts", "error_type")
