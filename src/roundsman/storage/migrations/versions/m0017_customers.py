"""Make room for what customers see: an organization's settings and logo, and links to stops.

The version before does not know the columns and tables. It removes stops without noting them, so
the links to stops that it removed lead nowhere.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the columns and create the tables."""
    op.add_column("organizations", sa.Column("settings", sa.Text()))
    op.add_column("organizations", sa.Column("logo_id", sa.String()))
    op.create_table(
        "organization_logos",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_organization_logos_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organization_logos")),
        sa.UniqueConstraint("organization_id", name=op.f("uq_organization_logos_organization_id")),
    )
    op.create_table(
        "tracking_links",
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("times_revoked", sa.Integer(), nullable=False),
        sa.Column("origin_id", sa.String(), nullable=False),
        sa.Column("removed_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_tracking_links_organization_id_organizations"),
        ),
        sa.PrimaryKeyConstraint("stop_id", name=op.f("pk_tracking_links")),
    )
    op.create_index(
        "ix_tracking_links_removed", "tracking_links", ["organization_id", "removed_at"]
    )
