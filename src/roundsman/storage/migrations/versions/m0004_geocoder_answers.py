"""Create the table of what geocoders over HTTP answered, so that none is asked twice."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table and the index by which old answers are thrown away."""
    op.create_table(
        "geocoder_answers",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("address_hash", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "address_hash", name=op.f("pk_geocoder_answers")),
    )
    op.create_index(
        op.f("ix_geocoder_answers_expires_at"), "geocoder_answers", ["expires_at"], unique=False
    )
