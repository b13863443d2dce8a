"""Brings a database to the schema of a version before."""

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext

from roundsman.storage.database import Database
from roundsman.storage.upgrading import read_scripts


def upgrade_to(database: Database, wanted: str) -> None:
    scripts = read_scripts()
    with (
        database.writing() as tx,
        EnvironmentContext(
            Config(),
            scripts,
            fn=lambda revision, _context: scripts._upgrade_revs(wanted, revision),
        ) as environment,
    ):
        environment.configure(connection=tx, transactional_ddl=True)
        environment.run_migrations()
