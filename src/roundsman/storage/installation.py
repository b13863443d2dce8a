"""Keys of the installation itself, made once and shared by all its processes."""

from sqlalchemy import insert, select

from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.tables import installation_keys


def find_key(tx: Transaction, name: str) -> bytes | None:
    """Return a key, if it was made."""
    return tx.execute(
        select(installation_keys.c.secret).where(installation_keys.c.name == name)
    ).scalar_one_or_none()


def add_key(tx: Transaction, name: str, secret: bytes) -> None:
    """Store a new key."""
    tx.execute(insert(installation_keys).values(name=name, secret=secret))


def write_sample(tx: Transaction, sample: bytes) -> None:
    """Keep some bytes in place of the last ones: proof that there is room to write."""
    upsert(tx, installation_keys, [{"name": "sample", "secret": sample}], ["name"])
