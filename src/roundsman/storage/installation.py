"""Keys of the installation itself, made once and shared by all its processes."""

from sqlalchemy import insert, select

from roundsman.storage.database import Transaction
from roundsman.storage.tables import installation_keys


def find_key(tx: Transaction, name: str) -> bytes | None:
    """Return a key, if it was made."""
    return tx.execute(
        select(installation_keys.c.secret).where(installation_keys.c.name == name)
    ).scalar_one_or_none()


def add_key(tx: Transaction, name: str, secret: bytes) -> None:
    """Store a new key."""
    tx.execute(insert(installation_keys).values(name=name, secret=secret))
