"""Make the tables of planners who sign in with an e-mail address and a password.

The version before does not know the tables, and changes nothing in them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the tables and their indexes."""
    op.create_table(
        "people",
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.PrimaryKeyConstraint("email_key", name=op.f("pk_people")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger()),
        sa.Column("last_seen_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_members_organization_id_organizations"),
        ),
        sa.ForeignKeyConstraint(
            ["email_key"], ["people.email_key"], name=op.f("fk_members_email_key_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint(
            "organization_id", "email_key", name=op.f("uq_members_organization_id_email_key")
        ),
    )
    op.create_index("ix_members_email_key", "members", ["email_key"])
    op.create_index("ix_members_created", "members", ["organization_id", "created_at", "id"])
    op.create_table(
        "member_sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            ondelete="CASCADE",
            name=op.f("fk_member_sessions_member_id_members"),
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_member_sessions")),
        sa.UniqueConstraint("id", name=op.f("uq_member_sessions_id")),
    )
    op.create_index("ix_member_sessions_member_id", "member_sessions", ["member_id"])
    op.create_table(
        "member_links",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("member_id", sa.String()),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["email_key"], ["people.email_key"], name=op.f("fk_member_links_email_key_people")
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            ondelete="CASCADE",
            name=op.f("fk_member_links_member_id_members"),
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_member_links")),
    )
    op.create_index("ix_member_links_member_id", "member_links", ["member_id"])
    op.create_index("ix_member_links_expires_at", "member_links", ["expires_at"])
    op.create_index("ix_member_links_person", "member_links", ["email_key", "kind"])
