"""Make room for second factors of people: apps that show codes, recovery codes, passkeys.

The version before does not know the tables, and signs in by password alone whoever has set up one.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the four tables."""
    op.create_table(
        "totp_secrets",
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("is_confirmed", sa.Boolean(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        _person("totp_secrets"),
        sa.PrimaryKeyConstraint("email_key", name=op.f("pk_totp_secrets")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        _person("recovery_codes"),
        sa.PrimaryKeyConstraint("email_key", "code_hash", name=op.f("pk_recovery_codes")),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger()),
        _person("passkeys"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
    )
    op.create_index("ix_passkeys_email_key", "passkeys", ["email_key"])
    op.create_table(
        "passkey_challenges",
        sa.Column("challenge_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("challenge_hash", name=op.f("pk_passkey_challenges")),
    )
    op.create_index("ix_passkey_challenges_expires_at", "passkey_challenges", ["expires_at"])


def _person(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["email_key"], ["people.email_key"], name=op.f(f"fk_{table}_email_key_people")
    )
