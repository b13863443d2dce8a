"""One server a database for the whole folder; every test works in an organization of its own."""

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from tests.acceptance.contract.installation import Client, Installation, installed


@pytest.fixture(scope="session")
def installation(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """A served installation on either database, with loopback receivers allowed."""
    data = tmp_path_factory.mktemp("installation")
    if request.param == "sqlite":
        with installed(data, f"sqlite:///{data / 'roundsman.db'}") as served:
            yield served
        return
    address: str = request.getfixturevalue("postgres_address")
    name = f"contract_{uuid.uuid4().hex}"  # noqa: TID251 -- names a database of the test run's own
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    with installed(data, f"{address}/{name}") as served:
        yield served


@pytest.fixture
def client(installation: Installation) -> Client:
    """A signed-in client of an organization that nobody else works in."""
    return installation.new_client()
