"""A planner at a desk: an organization on a running server, and a page of a real browser."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright, expect
from tests.acceptance.under_fire.battle import open_client
from tests.browser.driving import Phone, sign_up_driver

from roundsman.domain.principal import Role
from roundsman.kit.clock import SystemClock
from roundsman.kit.ids import RandomIds
from roundsman.operations.api_clients import create_credentials
from roundsman.operations.organizations import Registrar, create_organization
from roundsman.storage.database import Database
from roundsman.storage.sealing import SecretBox

PLANNED_WITHIN = 240_000
"""Milliseconds: a server that has just started compiles the planner before it plans."""

DROVE = "2024-07-01"
"""A day whose windows are long closed when its routes are driven."""


@dataclass
class Office:
    """A planner's desk: an organization in Berlin whose routes are in Baltimore."""

    address: str
    client_id: str
    secret: str
    page: Page
    http: Any
    troubles: list[str] = field(default_factory=list)
    """Uncaught errors of the page, and what its content security policy blocked."""

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._note_violation)

    def _note_violation(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.troubles.append(message.text)

    def post(self, path: str, body: Any) -> Any:
        response = self.http.post(path, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def add_route(self, name: str, *stops: dict[str, Any], **options: Any) -> str:
        """Return the id of a route with these stops, each with a place of its own."""
        start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
        id_ = str(self.post("/routes", {"name": name, "start": start, **options})["id"])
        placed = [
            {"coordinates": {"latitude": 39.3 + place / 100, "longitude": -76.6}, **stop}
            for place, stop in enumerate(stops)
        ]
        if placed:
            imported = self.post("/stops/imports", placed)["stops"]
            self.post(f"/routes/{id_}/stops", [{"importedStopId": one["id"]} for one in imported])
        return id_

    def dispatch(self, name: str, *stops: dict[str, Any], **options: Any) -> Phone:
        """Return the phone of a driver who has just left on a route that was planned for DROVE."""
        phone = sign_up_driver(self.address, self.http)
        driver = {"driverId": phone.driver_id, "scheduledFor": f"{DROVE}T08:00:00-04:00"}
        phone.route_id = self.add_route(name, *stops, **driver, **options)
        self.post(f"/routes/{phone.route_id}/dispatch", {})
        phone.tell("ROUTE_STARTED")
        return phone

    def stop_ids(self, route_id: str) -> list[str]:
        return [stop["id"] for stop in self.http.get(f"/routes/{route_id}").json()["stops"]]

    def sign_in(self, secret: str = "") -> None:
        """Type the credentials in and press the button."""
        client = self.page.get_by_role("textbox", name="Client ID")
        other = self.page.get_by_role("link", name="Use API credentials")
        client.or_(other).first.wait_for()
        if other.is_visible():
            other.click()
        client.fill(self.client_id)
        self.page.get_by_role("textbox", name="Client secret").fill(secret or self.secret)
        self.page.get_by_role("button", name="Sign in").click()

    def invite(self, email: str, role: Role = Role.OWNER) -> str:
        """Return the link of an invitation."""
        made = self.post("/members", {"email": email, "role": role})
        return str(made["inviteUrl"])

    def open(self, hash_: str) -> None:
        self.page.goto(f"{self.address}/console#/{hash_}")


def expect_proposal(page: Page, words: str) -> Locator:
    """Wait until the dialog proposes a plan that says these words; return the proposal."""
    proposal = page.get_by_role("region", name="Proposal")
    expect(proposal).to_contain_text(words, timeout=PLANNED_WITHIN)
    return proposal


@dataclass
class House:
    """A running server and a browser."""

    address: str
    url: str
    data: Path
    """The folder in which the server keeps its secret key."""

    browser: Browser
    playwright: Playwright


def open_office(house: House, timezone: str = "Europe/Berlin") -> Office:
    """Return a new organization with credentials, and a page that shares nothing."""
    database = Database(house.url)
    ids = RandomIds()
    box = SecretBox(house.data / "secret.key", ids, bool)
    registrar = Registrar(database=database, clock=SystemClock(), ids=ids, secret_box=box)
    organization = create_organization(registrar, "Acme", timezone)
    key = create_credentials(registrar, organization.id, "dev@example.com")
    database.close()
    http = open_client(base_url=f"{house.address}/api/2024-07")
    office = Office(house.address, key.client_id, key.client_secret, house.browser.new_page(), http)
    names = {"clientId": key.client_id, "clientSecret": key.client_secret}
    token = office.post("/authenticate", names)["accessToken"]
    http.headers["Authorization"] = f"Bearer {token}"
    office.page.set_viewport_size({"width": 1200, "height": 800})
    return office
