"""An installation in process, with an organization signed in."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path

import pytest
from tests.api.described import DescribedClient
from tests.support.databases import copy_sqlite
from tests.webhooks.names import KnownNames
from tests.world import CountingIds, FixedClock

from roundsman.app import make_application
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.installation import make_registrar, make_tools
from roundsman.operations.api_clients import Credentials, create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.webhooks.address_guard import AddressGuard


@dataclass
class World:
    """Everything a test of the interface may reach for."""

    tools: Tools
    clock: FixedClock
    client: DescribedClient
    credentials: Credentials
    stranger: DescribedClient

    def count(self, table: str) -> int:
        with self.tools.database.reading() as tx:
            return int(tx.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())  # noqa: S608 -- a table's name

    def topics(self) -> list[str]:
        with self.tools.database.reading() as tx:
            rows = tx.exec_driver_sql("SELECT topic FROM events ORDER BY timestamp, topic")
            return [str(row[0]) for row in rows]

    def payload(self, topic: str) -> str:
        """Return the one body that all events with this topic show."""
        query = (
            "SELECT topic, body FROM events "
            "JOIN event_payloads ON payload_id = event_payloads.id ORDER BY timestamp"
        )
        with self.tools.database.reading() as tx:
            shown = [row.body for row in tx.exec_driver_sql(query) if row.topic == topic]
        assert len(set(shown)) == 1
        return str(shown[0])


@dataclass(frozen=True)
class Inhabitants:
    """Two organizations with a signed-in client each, as a file that is copied for each test."""

    file: Path
    credentials: list[Credentials]
    headers: list[dict[str, str]]
    ids_drawn: int


@pytest.fixture(scope="session")
def inhabitants(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Inhabitants:
    """Make once what nearly every test of the interface begins with, on SQLite."""
    folder = tmp_path_factory.mktemp("inhabited")
    ids = CountingIds()
    database = Database(copy_sqlite(migrated_sqlite, folder / "roundsman.db"))
    with closing(database):
        tools = make_tools(Settings(data=folder), database, FixedClock(), ids)
        with closing(make_application(Settings(data=folder), tools)) as interface:
            people = [settle(tools, DescribedClient(interface), name) for name in ORGANIZATIONS]
    return Inhabitants(
        file=folder / "roundsman.db",
        credentials=[credentials for _, credentials in people],
        headers=[client.headers for client, _ in people],
        ids_drawn=ids.drawn,
    )


ORGANIZATIONS = ("Acme Foods", "Other Goods")


def settle(
    tools: Tools, client: DescribedClient, name: str, timezone: str = "UTC"
) -> tuple[DescribedClient, Credentials]:
    """Make an organization and sign a client of it in."""
    registrar = make_registrar(tools)
    organization = create_organization(registrar, name, timezone)
    credentials = create_credentials(registrar, organization.id, "dev@example.com")
    client.sign_in(credentials.client_id, credentials.client_secret)
    return client, credentials


@pytest.fixture
def world(
    database: Database,
    clock: FixedClock,
    ids: CountingIds,
    gazetteer: Gazetteer,
    tmp_path: Path,
    inhabitants: Inhabitants,
) -> Iterator[World]:
    settings = Settings(data=tmp_path)
    is_inhabited = database.dialect_name == "sqlite"
    if is_inhabited:
        ids.draw_on_from(inhabitants.ids_drawn)
    tools = replace(
        make_tools(settings, database, clock, ids),
        geocoder=gazetteer,
        address_guard=AddressGuard(
            allowed_subnets=(ip_network("127.0.0.0/8"),), resolver=KnownNames()
        ),
    )
    interface = make_application(settings, tools)
    people = []
    for number, name in enumerate(ORGANIZATIONS):
        client = DescribedClient(interface)
        if is_inhabited:
            client.headers.update(inhabitants.headers[number])
            people.append((client, inhabitants.credentials[number]))
        else:
            people.append(settle(tools, client, name))
    yield World(
        tools=tools,
        clock=clock,
        client=people[0][0],
        credentials=people[0][1],
        stranger=people[1][0],
    )
    interface.close()
