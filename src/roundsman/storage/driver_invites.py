"""Invites of drivers: a link each, of which only the hash of its token is kept."""

from datetime import datetime

from sqlalchemy import delete, insert

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
