"""Secrets and customers' data are looked for wherever they must not be, after a little day."""

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import structlog
from tests.api.conftest import World
from tests.api.described import DescribedClient

from roundsman.app import make_application
from roundsman.installation import make_registrar
from roundsman.kit.telemetry import configure_logs
from roundsman.operations import api_clients
from roundsman.operations.signing_secrets import read_secrets
from roundsman.settings import Settings
from roundsman.storage.tables import metadata

LATITUDE = 39.2717171
LONGITUDE = -76.6131313
NOTE = "the key is under the third flowerpot"
PHONE = "+14105559876"
CUSTOMERS_DATA = (str(LATITUDE), str(LONGITUDE), NOTE, PHONE)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[io.StringIO]:
    """Our own log at its most talkative, as JSON, and everybody else's into `caplog`."""
    written = io.StringIO()
    caplog.set_level(logging.INFO)
    configure_logs(logging.DEBUG)
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(written), cache_logger_on_first_use=False
    )
    yield written
    structlog.reset_defaults()


@dataclass
class Day:
    """A client that remembers every answer, and what of the day is secret."""

    client: DescribedClient
    answers: list[str] = field(default_factory=list)
    shown_once: list[str] = field(default_factory=list)

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        response = self.client.send(method, path, json=body, **options)
        self.answers.append(f"{response.headers} {response.text}")
        return response.json()

    def ask_for_secret(self, method: str, path: str, body: Any = None) -> Any:
        """Ask for what an answer may show once."""
        answer = self.client.send(method, path, json=body)
        assert answer.status_code == 200
        return answer.json()


def live_through(day: Day, secret: str, client_id: str) -> None:
    signed = {"clientId": client_id, "clientSecret": secret}
    token = day.ask_for_secret("POST", "/authenticate", signed)["accessToken"]
    day.shown_once.append(token)
    bearer = {"Authorization": f"Bearer {token}"}
    day.ask("POST", "/authenticate", {"clientId": secret, "clientSecret": token})
    day.ask("POST", "/authenticate", {**signed, "grant": token})
    day.ask("GET", "/routes", headers={"Authorization": f"Bearer {token}x"})
    day.ask("GET", "/routes", headers={"Authorization": f"Basic {token}"})
    stop = {
        "clientStopId": "one",
        "note": NOTE,
        "contact": {"phone": PHONE},
        "coordinates": {"latitude": LATITUDE, "longitude": LONGITUDE},
    }
    day.ask("POST", "/stops/imports", [stop], headers=bearer)
    day.ask("POST", "/stops/imports", [{**stop, "priority": -1}], headers=bearer)
    start = {"coordinates": stop["coordinates"]}
    route = f"/routes/{day.ask('POST', '/routes', {'start': start})['id']}"
    day.ask("POST", f"{route}/stops", [{"clientStopId": "one"}])
    day.ask("POST", f"{route}/reoptimize", {})
    invited = day.ask_for_secret("POST", "/drivers", {"firstName": "Dana", "phone": PHONE})
    day.shown_once.append(invited["inviteUrl"].rpartition("/")[2])
    driver = invited["driver"]["id"]
    again = day.ask_for_secret("POST", f"/drivers/{driver}/invite")
    day.shown_once.append(again["inviteUrl"].rpartition("/")[2])
    day.ask("POST", f"/drivers/{driver}/activate")
    day.ask("PUT", f"{route}/driver", {"driverId": driver})
    day.ask("POST", f"{route}/dispatch", {})
    hook = {"url": "https://example.com/hooks", "topics": ["ROUTE_UPDATED"]}
    webhook = day.ask("POST", "/webhooks", hook)["id"]
    day.ask("POST", f"/webhooks/{webhook}/test")
    for path in ("/webhooks", "/events", "/drivers", "/stops/imports", route, "/nowhere"):
        day.ask("GET", path)


def everything_stored(world: World) -> str:
    with world.tools.database.reading() as tx:
        return "\n".join(
            f"{table.name} {value!r}"
            for table in metadata.sorted_tables
            for row in tx.execute(table.select())
            for value in row
        )


@pytest.mark.spec("decisions §3")
def test_a_day_leaves_no_secret_in_the_log_the_database_or_any_other_answer(
    world: World, log: io.StringIO, caplog: pytest.LogCaptureFixture
) -> None:
    credentials = world.credentials
    rotated = api_clients.rotate_secret(make_registrar(world.tools), credentials.client_id)
    day = Day(world.client, shown_once=[credentials.client_secret, rotated.client_secret])
    live_through(day, rotated.client_secret, credentials.client_id)
    signing = read_secrets(world.tools, credentials.organization_id).current
    stored, logged = everything_stored(world), log.getvalue() + caplog.text
    assert "reoptimizeRoute" in logged
    assert NOTE in stored  # the search finds what is there
    for secret in day.shown_once:
        assert len(secret) > 30
        assert secret not in logged
        assert secret not in stored
        assert not [answer for answer in day.answers if secret in answer]
    assert signing not in logged
    assert signing not in stored  # sealed
    assert not [answer for answer in day.answers if signing in answer]
    for marker in CUSTOMERS_DATA:
        assert marker not in logged


class _BrokenGeocoder:
    """A geocoder with a bug that knows too much."""

    is_local = True

    def geocode(self, addresses: Any) -> Any:
        raise RuntimeError(f"cannot locate {addresses} with {NOTE}")

    def close(self) -> None:
        """Hold nothing."""


@pytest.mark.spec("decisions §2")
def test_a_bug_answers_nothing_but_where_to_look(world: World, log: io.StringIO) -> None:
    tools = replace(world.tools, geocoder=_BrokenGeocoder())
    client = DescribedClient(make_application(Settings(), tools))
    client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    address = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
    answer = client.post("/stops/imports", [{"address": address}])
    client.interface.close()
    assert answer.status_code == 500
    assert answer.json() == {
        "code": 13,
        "message": "internal error",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.RequestInfo",
                "requestId": answer.headers["X-Request-Id"],
            }
        ],
    }
    assert answer.headers["X-Request-Id"] in log.getvalue()
    assert "RuntimeError" in log.getvalue()
    assert NOTE not in log.getvalue()  # what a bug says is made of what it worked on
    assert world.count("imported_stops") == 0
