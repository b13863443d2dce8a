"""Brings a database to the newest schema; safe to run by several processes at once."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import lock_installation
from roundsman.storage.driver_tables import metadata

_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(database: Database) -> None:
    """Apply every migration that this database has not seen."""
    scripts = _scripts()
    with database.reading() as transaction:
        if MigrationContext.configure(transaction).get_current_revision() == (
            scripts.get_current_head()
        ):
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
