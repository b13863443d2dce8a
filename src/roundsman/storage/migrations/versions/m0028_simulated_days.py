"""Keep until when a simulated day goes on in an organization.

The version before does not know it, and judges promises there by its own clock.
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Add the column; no day goes on."""
    op.add_column("organizations", sa.Column("simulated_until", sa.BigInteger()))
