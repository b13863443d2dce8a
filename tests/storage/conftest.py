"""Databases as versions before left them."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.db'}"
        return
    address: str = request.getfixturevalue("postgres_address")
    name = f"old_{uuid.uuid4().hex}"  # noqa: TID251 -- names a database of the test run's own
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{address}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
