"""Keep the log of changes that followers read.

The version before adds nothing to it: what it changes while it still serves, nobody is told of.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "changes",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("object_id", sa.String(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_changes_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("organization_id", "number", name=op.f("pk_changes")),
    )
