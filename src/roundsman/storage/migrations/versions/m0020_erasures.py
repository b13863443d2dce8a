"""Make room for erasures; the version before does not know them and does nothing about them."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the table."""
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
