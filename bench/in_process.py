"""A whole application in this process, on a database of either kind, with a client signed in."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.in_process import InProcessClient

from bench.databases import database_server, new_database
from roundsman.app import make_application
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.operations.api_clients import create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.settings import Settings
from roundsman.storage.database import Database


@dataclass(frozen=True, kw_only=True)
class OpenedApplication:
    """What a measurement asks."""

    http: InProcessClient
    headers: dict[str, str]
    """Those of a client that may do everything."""

    organization_id: str
    database: Database


@contextmanager
def opened_application(kind: str) -> Iterator[OpenedApplication]:
    """Open an application with one organization, and leave nothing of it behind."""
    with tempfile.TemporaryDirectory() as folder, database_server(kind) as server:
        settings = Settings(
            data=Path(folder),
            database_url=new_database(server),
            roads="builtin",
            geocoder="builtin",
        )
        with (
            closing(open_database(settings)) as database,
            closing(make_tools(settings, database)) as tools,
            closing(make_application(settings, tools)) as application,
        ):
            registrar = make_registrar(tools)
            organization = create_organization(registrar, "Bench Goods", "UTC").id
            key = create_credentials(registrar, organization, "dev@example.com")
            http = InProcessClient(application)
            names = {"clientId": key.client_id, "clientSecret": key.client_secret}
            token = http.post("/api/2024-07/authenticate", json=names).json()["accessToken"]
            yield OpenedApplication(
                http=http,
                headers={"Authorization": f"Bearer {token}"},
                organization_id=organization,
                database=database,
            )
