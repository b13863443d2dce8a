"""Keep the scopes of an access token, and make the table of security events.

A token without scopes may do what its client may. The version before reads neither: while it serves
it lets a token with fewer scopes do all that its client may.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column, the table and its indexes."""
    op.add_column("access_tokens", sa.Column("scopes", sa.String()))
    op.create_table(
        "security_events",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("principal_kind", sa.String(), nullable=False),
        sa.Column("principal_id", sa.String(), nullable=False),
        sa.Column("principal_email", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("user_agent", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_security_events_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_security_events")),
    )
    op.create_index("ix_security_events_time", "security_events", ["organization_id", "at", "id"])
    op.create_index(
        "ix_security_events_kind", "security_events", ["organization_id", "kind", "at", "id"]
    )
