"""Copies of the whole database: a backup file, and the move to another database."""

from collections.abc import Callable
from pathlib import Path

from roundsman.domain.errors import Unavailable
from roundsman.operations.tools import Tools
from roundsman.storage import database_copy
from roundsman.storage.connection_failures import explain_failure
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate


def back_up(tools: Tools, target: Path) -> int:
    """Write a checked copy of the database into one file while it serves; return its bytes."""
    return database_copy.write_backup(tools.database, target)


def copy_to(tools: Tools, url: str, progress: Callable[[str, int], None]) -> dict[str, int]:
    """Copy every row into the empty database at `url`, compare them, and return rows by table."""
    target = Database(url)
    try:
        _open_target(target, url)
        return database_copy.copy_database(tools.database, target, progress)
    finally:
        target.close()


def _open_target(target: Database, url: str) -> None:
    try:
        migrate(target)
    except Unavailable as error:
        reason = explain_failure(error, url) or str(error)
        raise Unavailable(f"the target cannot be used: {reason}") from error
