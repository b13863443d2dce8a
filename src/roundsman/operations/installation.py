"""Keys of the installation, made by whichever process comes first."""

from roundsman.kit.ids import IdSource
from roundsman.storage.database import Database
from roundsman.storage.dialects import lock_installation
from roundsman.storage.installation import add_key, find_key

_KEY_BYTES = 32


def obtain_key(database: Database, ids: IdSource, name: str) -> bytes:
    """Return the installation's key of this name; it is made once."""
    with database.reading() as tx:
        key = find_key(tx, name)
    if key is not None:
        return key
    with database.writing() as tx:
        lock_installation(tx)
        key = find_key(tx, name)
        if key is None:
            key = ids.random_bytes(_KEY_BYTES)
            add_key(tx, name, key)
        return key
