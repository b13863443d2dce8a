"""Whether what was acknowledged survives a power cut: what the database itself says.

On SQLite every connection is set up for it and checked when it is opened (`dialects`). On
PostgreSQL it is the server's business, and a server may have been told not to care.
"""

from typing import Any

from sqlalchemy import text

from roundsman.domain.errors import FailedPrecondition
from roundsman.kit.peers import is_loopback
from roundsman.storage.database import Database, Transaction

_LOSING = ("fsync=off", "synchronous_commit=off")
"""With one of these an acknowledged change may be gone after a crash, or the database broken.

`full_page_writes=off` is only told: it is right on file systems that never tear a page.
"""

_ASKED = text(
    "SELECT name || '=' || setting FROM pg_settings WHERE setting = 'off'"
    " AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name"
)


def find_unsafe_settings(database: Database) -> list[str]:
    """Return what the server has switched off that keeps commits, such as `fsync=off`."""
    if database.dialect_name == "sqlite":
        return []
    with database.reading() as tx:
        return list(tx.execute(_ASKED).scalars())


def require_durable(database: Database) -> None:
    """Refuse a server on another machine that may lose what was acknowledged.

    Servers on this machine are often those of tests, which are faster without; they are only told.
    """
    losing = [setting for setting in find_unsafe_settings(database) if setting in _LOSING]
    if not losing:
        return
    with database.reading() as tx:
        if _is_on_this_machine(tx):
            return
    where = database.engine_url.host
    raise FailedPrecondition(
        f"the database on {where} runs with {' and '.join(losing)}: a crash of its machine would "
        "lose what was acknowledged; switch it on in postgresql.conf, or set "
        "ROUNDSMAN_ALLOW_FSYNC_OFF=true if its storage keeps commits by other means"
    )


def _is_on_this_machine(tx: Transaction) -> bool:
    connection: Any = tx.connection.driver_connection
    if connection.info.host.startswith(("/", "@")):
        return True
    return is_loopback(connection.info.hostaddr)
