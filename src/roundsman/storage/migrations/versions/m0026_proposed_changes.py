"""Make room for changes that assistants propose and people have made.

The version before does not know the table, and has no assistants' door.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "proposed_changes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("is_import", sa.Boolean(), nullable=False),
        sa.Column("is_made", sa.Boolean(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_proposed_changes_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposed_changes")),
    )
    op.create_index(
        "ix_proposed_changes_expired", "proposed_changes", ["organization_id", "expires_at"]
    )
