"""Make room for erasures of whole organizations: how far each is, and what it has removed.

The version before does not know the table, and erases no organization.
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "organization_erasures",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.Text(), nullable=False),
        sa.Column("completed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_organization_erasures")),
    )
