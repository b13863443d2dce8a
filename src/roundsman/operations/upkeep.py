"""Upkeep of an installation by its operator: backups, and moving to another database."""

from collections.abc import Callable
from pathlib import Path

from roundsman.operations.work import Tools
from roundsman.storage import transfer
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate


def back_up(tools: Tools, target: Path) -> int:
    """Write a checked copy of the database into one file while it serves; return its bytes."""
    return transfer.write_backup(tools.database, target)


def copy_to(tools: Tools, url: str, progress: Callable[[str, int], None]) -> dict[str, int]:
    """Copy every row into the empty database at `url`, compare them, and return rows by table."""
    target = Database(url)
    try:
        migrate(target)
        return transfer.copy_database(tools.database, target, progress)
    finally:
        target.close()
