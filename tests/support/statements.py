"""One cache of compiled statements for all databases of a test run.

SQLAlchemy keeps them by engine, and nearly every test opens a database of its own: compiling
anew what others compiled took a seventh of such a test's processor time.
"""

from collections.abc import Hashable
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.util import LRUCache

_KEPT = 3_000
"""More than the tests of a worker have at a time: statements come in as many lengths as lists."""


class SharedStatements(LRUCache[Hashable, Any]):
    """Statements by the kind of database instead of the one engine that compiled them.

    All engines of a kind are made alike, by `roundsman.storage.dialects`.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_by_kind(key), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(_by_kind(key), compiled)


def _by_kind(key: tuple[Any, ...]) -> tuple[Any, ...]:
    dialect, *of_statement = key
    return (dialect.name, dialect.driver, *of_statement)


def share_statements() -> None:
    """Have every engine of this process use the one cache from now on."""
    shared = SharedStatements(_KEPT)

    @event.listens_for(Engine, "engine_connect")
    def _use(connection: Connection) -> None:
        connection.execution_options(compiled_cache=shared)
