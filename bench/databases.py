"""Databases to measure on: SQLite in a folder, or PostgreSQL on a server that goes away again."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import psycopg
from tests.postgres import find_binaries, postgres_server

KINDS = ("sqlite", "postgresql")
_numbers = count(1)


@contextmanager
def database_server(kind: str) -> Iterator[str]:
    """Yield what `new_database` takes: nothing for SQLite, a server's address otherwise."""
    if kind == "sqlite":
        yield ""
        return
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL's binaries are not installed")
    # As an operator has it: a commit is on the disk when it is answered.
    with postgres_server(binaries, fsync=True) as server:
        yield server.address


def new_database(server: str) -> str:
    """Return the address of an empty database, empty itself where the data folder holds it."""
    if not server:
        return ""
    name = f"bench_{next(_numbers)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{server}/{name}"
