"""Invites of drivers: a link each, of which only the hash of its token is kept."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from roundsman.storage.database import Transaction
from roundsman.storage.tables import driver_invites


def replace_invite(
    tx: Transaction, driver_id: str, token_hash: bytes, expires_at: datetime
) -> None:
    """Store a driver's one invite; an earlier one no longer works."""
    remove_invites(tx, driver_id)
    tx.execute(
        insert(driver_invites).values(
            token_hash=token_hash, driver_id=driver_id, expires_at=expires_at
        )
    )


def remove_invites(tx: Transaction, driver_id: str) -> None:
    """Let no invite of a driver work any more."""
    tx.execute(delete(driver_invites).where(driver_invites.c.driver_id == driver_id))


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredInvite:
    """Whom an invite is for, and until when it is good."""

    driver_id: str
    expires_at: datetime


def find_invite(tx: Transaction, token_hash: bytes) -> StoredInvite | None:
    """Return an invite that nobody has used."""
    row = tx.execute(
        select(driver_invites).where(driver_invites.c.token_hash == token_hash)
    ).first()
    if row is None:
        return None
    return StoredInvite(driver_id=row.driver_id, expires_at=row.expires_at)


def take_invite(tx: Transaction, token_hash: bytes) -> bool:
    """Use an invite up; say whether nobody was faster."""
    taken = tx.execute(delete(driver_invites).where(driver_invites.c.token_hash == token_hash))
    return taken.rowcount == 1
