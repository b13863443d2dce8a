"""Make room for what was expected of arrivals, and for what an organization's days teach of them.

The version before does not know the tables: nothing is learned of days that it serves.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def _owner(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["organization_id"],
        ["organizations.id"],
        name=op.f(f"fk_{table}_organization_id_organizations"),
    )


def upgrade() -> None:
    """Add the two tables; what was expected before is not known."""
    op.create_table(
        "arrival_forecasts",
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("stops_ahead", sa.Integer(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("is_estimated", sa.Boolean(), nullable=False),
        sa.Column("known_at", sa.BigInteger(), nullable=False),
        sa.Column("expected_at", sa.BigInteger(), nullable=False),
        sa.Column("window_start", sa.BigInteger(), nullable=False),
        sa.Column("window_end", sa.BigInteger(), nullable=False),
        sa.Column("arrived_at", sa.BigInteger()),
        _owner("arrival_forecasts"),
        sa.PrimaryKeyConstraint("stop_id", "stops_ahead", name=op.f("pk_arrival_forecasts")),
    )
    op.create_index(
        "ix_arrival_forecasts_known", "arrival_forecasts", ["organization_id", "known_at"]
    )
    op.create_table(
        "arrival_spreads",
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("learned_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        _owner("arrival_spreads"),
        sa.PrimaryKeyConstraint("organization_id", name=op.f("pk_arrival_spreads")),
    )
