"""An installation in process, with an organization signed in."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path

import pytest
from tests.api.described import DescribedClient
from tests.webhooks.names import KnownNames
from tests.world import CountingIds, FixedClock

from roundsman.app import make_application, make_registrar, make_tools
from roundsman.geocoding.gazetteer import Gazetteer
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


@pytest.fixture
def world(
    database: Database, clock: FixedClock, ids: CountingIds, gazetteer: Gazetteer, tmp_path: Path
) -> Iterator[World]:
    settings = Settings(data=tmp_path)
    tools = replace(
        make_tools(settings, database, clock, ids),
        geocoder=gazetteer,
        address_guard=AddressGuard(
            allowed_subnets=(ip_network("127.0.0.0/8"),), resolver=KnownNames()
        ),
    )
    interface = make_application(settings, tools)
    clients = []
    for name in ("Acme Foods", "Other Goods"):
        registrar = make_registrar(tools)
        organization = create_organization(registrar, name, "UTC")
        credentials = create_credentials(registrar, organization.id, "dev@example.com")
        client = DescribedClient(interface)
        client.sign_in(credentials.client_id, credentials.client_secret)
        clients.append((client, credentials))
    yield World(
        tools=tools,
        clock=clock,
        client=clients[0][0],
        credentials=clients[0][1],
        stranger=clients[1][0],
    )
    interface.close()
