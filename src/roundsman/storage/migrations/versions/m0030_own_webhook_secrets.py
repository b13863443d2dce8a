"""Make room for a secret of one webhook, and the next one while it is replaced.

The version before does not know the columns: while both run, it signs with the organization's.
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("subscriptions", sa.Column("secret", sa.String()))
    op.add_column("subscriptions", sa.Column("next_secret", sa.String()))
