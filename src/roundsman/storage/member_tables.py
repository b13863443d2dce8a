"""The tables of planners: people and what proves them, members, browsers, and links sent."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from roundsman.storage.tables import Instant, metadata

__all__ = [
    "member_links",
    "member_sessions",
    "members",
    "metadata",
    "passkey_challenges",
    "passkeys",
    "people",
    "recovery_codes",
    "totp_secrets",
]

people = Table(
    "people",
    metadata,
    Column("email_key", String, primary_key=True),
    Column("password_hash", Text),  # none until an invitation is taken up with a password
)

members = Table(
    "members",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", String, ForeignKey("organizations.id"), nullable=False),
    Column("email_key", String, ForeignKey("people.email_key"), nullable=False, index=True),
    Column("email", String, nullable=False),
    Column("name", Text, nullable=False),
    Column("role", String, nullable=False),
    Column("status", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("accepted_at", Instant),
    Column("last_seen_at", Instant),
    UniqueConstraint("organization_id", "email_key"),
    Index("ix_members_created", "organization_id", "created_at", "id"),
)

member_sessions = Table(
    "member_sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("id", String, nullable=False),
    Column(
        "member_id",
        String,
        ForeignKey("members.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("created_at", Instant, nullable=False),
    Column("seen_at", Instant, nullable=False),
    UniqueConstraint("id"),
)

member_links = Table(
    "member_links",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("kind", String, nullable=False),
    Column("email_key", String, ForeignKey("people.email_key"), nullable=False),
    Column("member_id", String, ForeignKey("members.id", ondelete="CASCADE"), index=True),
    Column("expires_at", Instant, nullable=False, index=True),
    Index("ix_member_links_person", "email_key", "kind"),
)

totp_secrets = Table(
    "totp_secrets",
    metadata,
    Column("email_key", String, ForeignKey("people.email_key"), primary_key=True),
    Column("secret", Text, nullable=False),  # sealed
    Column("is_confirmed", Boolean, nullable=False),
    Column("last_step", BigInteger, nullable=False),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("email_key", String, ForeignKey("people.email_key"), primary_key=True),
    Column("code_hash", LargeBinary, primary_key=True),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String, primary_key=True),
    Column("email_key", String, ForeignKey("people.email_key"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
)

passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("challenge_hash", LargeBinary, primary_key=True),
    Column("expires_at", Instant, nullable=False, index=True),
)
"""Those that were answered, until they are too old to be answered again."""
