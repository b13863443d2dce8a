"""Brings a database to the newest schema; safe to run by several processes at once.

A database is nearly always there already, so what migrates is loaded only when it is not.
"""

from pathlib import Path

import structlog
from sqlalchemy import inspect

from roundsman.kit.loading import load
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import lock_installation

_log = structlog.get_logger("roundsman.storage")
_VERSIONS = Path(__file__).parent / "migrations" / "versions"
_UPGRADE = "roundsman.storage.upgrading:upgrade"


def migrate(database: Database) -> None:
    """Apply every migration that this database has not seen.

    A database that a newer version has migrated is left as it is: every migration keeps the
    version before it serving, so that processes may be replaced one by one.
    """
    known = known_revisions()
    with database.reading() as transaction:
        current = _find_revision(transaction)
    if current == known[-1]:
        return
    if current is not None and current not in known:
        _log.warning("database_is_newer", revision=current)
        return
    upgrade = load(_UPGRADE)
    with database.writing_for_long() as transaction:
        lock_installation(transaction)
        upgrade(transaction)


def known_revisions() -> list[str]:
    """Return the migrations of this version, oldest first; their files bear their numbers."""
    return sorted(file.name[1:5] for file in _VERSIONS.glob("m[0-9][0-9][0-9][0-9]_*.py"))


def _find_revision(transaction: Transaction) -> str | None:
    if not inspect(transaction).has_table("alembic_version"):
        return None
    found: str | None = transaction.exec_driver_sql(
        "SELECT version_num FROM alembic_version"
    ).scalar_one_or_none()
    return found
