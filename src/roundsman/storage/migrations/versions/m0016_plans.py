"""Make the table of plans.

The version before does not know the table, and changes nothing in it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the table and its indexes."""
    op.create_table(
        "plans",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("expires_at", sa.BigInteger()),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("is_cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text()),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_plans_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
    )
    op.create_index("ix_plans_created", "plans", ["organization_id", "created_at", "id"])
    op.create_index("ix_plans_status", "plans", ["organization_id", "status", "created_at", "id"])
