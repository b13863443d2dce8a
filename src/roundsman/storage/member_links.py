"""Links that let a person in once: invitations, new passwords, and the demo's owner.

Only the hash of each link's token is kept. A new link of a kind voids the one before.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import delete, insert, select

from roundsman.domain.member import email_key
from roundsman.storage.database import Transaction
from roundsman.storage.member_tables import member_links


class LinkKind(StrEnum):
    """What a link is good for."""

    INVITE = "INVITE"
    PASSWORD_RESET = "PASSWORD_RESET"  # noqa: S105 -- the name of a kind
    SIGN_IN = "SIGN_IN"


@dataclass(frozen=True, kw_only=True, slots=True)
class MemberLink:
    """Whom a link is for, and until when it is good; a new password is a person's, no member's."""

    kind: LinkKind
    email: str
    member_id: str | None
    expires_at: datetime


def replace_link(tx: Transaction, link: MemberLink, token_hash: bytes) -> None:
    """Store a link; an earlier one of its kind no longer works."""
    remove_links(tx, link.kind, link.email, link.member_id)
    tx.execute(
        insert(member_links).values(
            token_hash=token_hash,
            kind=link.kind.value,
            email_key=email_key(link.email),
            member_id=link.member_id,
            expires_at=link.expires_at,
        )
    )


def find_link(tx: Transaction, kind: LinkKind, token_hash: bytes) -> MemberLink | None:
    """Return a link that nobody has used."""
    row = tx.execute(
        select(member_links).where(
            member_links.c.token_hash == token_hash, member_links.c.kind == kind.value
        )
    ).first()
    if row is None:
        return None
    return MemberLink(
        kind=kind, email=row.email_key, member_id=row.member_id, expires_at=row.expires_at
    )


def take_link(tx: Transaction, token_hash: bytes) -> bool:
    """Use a link up; say whether nobody was faster."""
    taken = tx.execute(delete(member_links).where(member_links.c.token_hash == token_hash))
    return taken.rowcount == 1


def remove_links(tx: Transaction, kind: LinkKind, email: str, member_id: str | None) -> None:
    """Let no link of a kind work any more, for a member or for a person."""
    tx.execute(
        delete(member_links).where(
            member_links.c.kind == kind.value,
            member_links.c.email_key == email_key(email),
            member_links.c.member_id.is_(None)
            if member_id is None
            else member_links.c.member_id == member_id,
        )
    )


def remove_expired_links(tx: Transaction, now: datetime) -> None:
    """Forget links whose time is over."""
    tx.execute(delete(member_links).where(member_links.c.expires_at <= now))
