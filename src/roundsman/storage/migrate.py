"""Brings a database to the newest schema; safe to run by several processes at once."""

from pathlib import Path

import structlog
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import lock_installation
from roundsman.storage.driver_tables import metadata

_log = structlog.get_logger("roundsman.storage")
_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Apply every migration that this database has not seen.

    A database that a newer version has migrated is left as it is: every migration keeps the
    version before it serving, so that processes may be replaced one by one.
    """
    scripts = _scripts()
    known = {script.revision for script in scripts.walk_revisions()}
    with database.reading() as transaction:
        current = MigrationContext.configure(transaction).get_current_revision()
    if current == scripts.get_current_head():
        return
    if current is not None and current not in known:
        _log.warning("database_is_newer", revision=current)
        return
    with database.writing() as transaction:
        lock_installation(transaction)
        _upgrade(transaction, scripts)


def _scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.set_main_option("path_separator", "os")
    return ScriptDirectory.from_config(config)


def _upgrade(transaction: Transaction, scripts: ScriptDirectory) -> None:
    with EnvironmentContext(
        Config(),
        scripts,
        fn=lambda revision, _context: scripts._upgrade_revs("head", revision),  # noqa: SLF001
    ) as environment:
        environment.configure(
            connection=transaction, target_metadata=metadata, transactional_ddl=True
        )
        environment.run_migrations()
