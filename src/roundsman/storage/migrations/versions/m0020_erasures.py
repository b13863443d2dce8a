"""Make room for erasures, and for how far old data were cleared.

The version before knows neither and does nothing about them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "erasures",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("traces", sa.Text()),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.Column("completed_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_erasures_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasures")),
    )
    op.create_index("ix_erasures_created", "erasures", ["organization_id", "created_at", "id"])
    op.create_table(
        "retention_marks",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("last_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_retention_marks_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("organization_id", "name", name=op.f("pk_retention_marks")),
    )
