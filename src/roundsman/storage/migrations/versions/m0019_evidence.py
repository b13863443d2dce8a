"""Make room for the chains of evidence; the version before does not know them and adds nothing.

What it records while both serve joins its organization's chain later, marked as joined.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "evidence_keys",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_evidence_keys_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("organization_id", name=op.f("pk_evidence_keys")),
    )
    op.create_table(
        "evidence_records",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.Text()),
        sa.Column("disclosed", sa.Text()),
        sa.Column("customer", sa.Text()),
        sa.Column("record_hash", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary()),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_evidence_records_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("organization_id", "sequence", name=op.f("pk_evidence_records")),
    )
    op.create_index(
        "ix_evidence_records_stop", "evidence_records", ["organization_id", "stop_id", "sequence"]
    )
    op.create_index(
        "ix_evidence_records_recorded", "evidence_records", ["organization_id", "recorded_at"]
    )
