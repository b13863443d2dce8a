"""Copies of the whole database: a backup file, and the move to another database."""

from collections.abc import Callable
from pathlib import Path

from roundsman.operations.tools import Tools
from roundsman.storage import database_copy
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate


def back_up(tools: Tools, target: Path) -> int:
    """Write a checked copy of the database into one file while it serves; return its bytes."""
    return database_copy.write_backup(tools.database, target)


def copy_to(tools: Tools, url: str, progress: Callable[[str, int], None]) -> dict[str, int]:
    """Copy every row into the empty database at `url`, compare them, and return rows by table."""
    target = Database(url)
    try:
        migrate(target)
        return database_copy.copy_database(tools.database, target, progress)
    finally:
        target.close()
