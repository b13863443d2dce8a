"""Applies migrations; loaded where there are any to apply, because the library takes its time."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory

from roundsman.storage.database import Transaction
from roundsman.storage.schema import metadata

_SCRIPTS = Path(__file__).parent / "migrations"


def upgrade(transaction: Transaction) -> None:
    """Bring the database to the newest schema."""
    scripts = read_scripts()
    with EnvironmentContext(
        Config(),
        scripts,
        fn=lambda revision, _context: scripts._upgrade_revs("head", revision),  # noqa: SLF001
    ) as environment:
        environment.configure(
            connection=transaction, target_metadata=metadata, transactional_ddl=True
        )
        environment.run_migrations()


def read_scripts() -> ScriptDirectory:
    """Return every migration."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.set_main_option("path_separator", "os")
    return ScriptDirectory.from_config(config)
