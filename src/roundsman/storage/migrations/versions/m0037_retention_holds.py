"""Make room for what is old by its latest change, but whose delivery is not over.

The version before does not know the table: while both run, it clears such rows as before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Add the table; nothing is held yet."""
    op.create_table(
        "retention_holds",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("row_id", sa.String(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_retention_holds_organization_id"),
        ),
        sa.PrimaryKeyConstraint(
            "organization_id", "name", "row_id", name=op.f("pk_retention_holds")
        ),
    )
    op.create_index(
        "ix_retention_holds_until", "retention_holds", ["organization_id", "name", "until"]
    )
    op.create_index("ix_retention_holds_row", "retention_holds", ["organization_id", "row_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("retention_holds")
