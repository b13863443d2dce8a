"""The board in a real browser, before a real server."""

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.test_main_job import serving
from tests.acceptance.under_fire.battle import open_client
from tests.console.browser import Browser, Page, find_chromium, open_browser
from tests.console.driving import Phone, sign_up_driver

from roundsman.kit.clock import SystemClock
from roundsman.kit.ids import RandomIds
from roundsman.operations.identity import Registrar, create_credentials, create_organization
from roundsman.storage.database import Database

DAY = "2030-05-06"
DROVE = "2024-07-01"
"""A day whose windows are long closed when its routes are driven."""
HOSTILE = "<img src=x onerror=alert(1)>"
UNKNOWN = "\N{EN DASH}"
LOADED = "document.querySelector('.rows[aria-busy=false]')"
ENDED = """performance.getEntriesByType("resource").some(
  (one) => one.name.endsWith("/sign-out") && one.responseStatus === 200
)"""
TAKE_BACK = """{
  const kept = JSON.parse(sessionStorage.getItem("roundsman.session"));
  sessionStorage.setItem("roundsman.session", JSON.stringify({ ...kept, token: "taken back" }));
}"""


@dataclass
class Office:
    """A planner's desk: an organization in Berlin whose routes are in Baltimore."""

    address: str
    client_id: str
    secret: str
    page: Page
    http: Any

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
        self.page.wait_for("document.querySelector('form')")
        self.page.run("document.querySelectorAll('input').forEach((input) => { input.value = '' })")
        self.page.type("input[name=username]", self.client_id)
        self.page.type("input[name=password]", secret or self.secret)
        self.page.press("button.main")

    def open(self, hash_: str) -> None:
        self.page.open(f"{self.address}/console#/{hash_}")


def add_harbour(office: Office) -> str:
    """Add a route that waits at its first stop and misses its second."""
    window = {"start": {"hours": 9, "minutes": 30}, "end": {"hours": 12}}
    early = {"orderName": HOSTILE, "duration": "300s", "timeWindows": [window]}
    missed = {"orderName": "Early bird", "timeWindows": [{"end": {"hours": 7}}]}
    return office.add_route("Harbour", early, missed, scheduledFor=f"{DAY}T08:00:00-04:00")


@dataclass
class House:
    """A running server and a browser."""

    address: str
    url: str
    browser: Browser


@contextmanager
def open_house(data: Path) -> Iterator[House]:
    program = find_chromium()
    if program is None:
        pytest.skip("Chromium is not installed")
    url = f"sqlite:///{data / 'roundsman.db'}"
    with open_browser(program, data / "profile") as browser, serving(data, url) as address:
        yield House(address, url, browser)


def open_office(house: House) -> Office:
    """Return a new organization in Berlin with credentials, and an empty tab."""
    database = Database(house.url)
    registrar = Registrar(database=database, clock=SystemClock(), ids=RandomIds())
    organization = create_organization(registrar, "Acme", "Europe/Berlin")
    key = create_credentials(registrar, organization.id, "dev@example.com")
    database.close()
    http = open_client(base_url=f"{house.address}/api/2024-07")
    office = Office(house.address, key.client_id, key.client_secret, house.browser.open_tab(), http)
    names = {"clientId": key.client_id, "clientSecret": key.client_secret}
    token = office.post("/authenticate", names)["accessToken"]
    http.headers["Authorization"] = f"Bearer {token}"
    office.page.size(width=1200, height=800)
    return office


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture
def office(house: House) -> Iterator[Office]:
    opened = open_office(house)
    with closing(opened.http):
        yield opened
    assert opened.page.troubles == []


def test_a_planner_sees_which_routes_of_a_day_are_on_estimates(office: Office) -> None:
    page = office.page
    add_harbour(office)
    office.add_route("Nothing yet", scheduledFor=f"{DAY}T01:00:00+02:00")
    office.add_route("Next day", scheduledFor=f"{DAY}T18:30:00-04:00")  # after midnight in Berlin
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for(LOADED)
    assert page.run("document.querySelector('caption').textContent").endswith("6 May 2030")
    rows = page.run(
        "[...document.querySelectorAll('tbody tr')].map((row) =>"
        " [...row.children].map((cell) => cell.innerText.trim()))"
    )
    empty, harbour = rows
    assert empty == ["Nothing yet", "nobody", "none", "Empty", "0", "01:00", UNKNOWN, UNKNOWN]
    assert harbour == [
        "Harbour Estimated",
        *("nobody", "none", "Not optimized", "2", "14:00", "≈ 15:38", "1 planned late"),
    ]
    assert "The times of 1 of 2 routes are wholly or partly estimates" in page.text(".banner")
    assert page.run("document.activeElement.tagName") == "H1"  # a reader starts at the heading


def test_a_route_on_estimates_says_so_above_its_stops_and_on_its_map(office: Office) -> None:
    page = office.page
    id_ = add_harbour(office)
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for(LOADED)
    page.press("tbody a")
    page.wait_for("document.querySelectorAll('.map .marker').length === 3")
    assert page.run("location.hash") == f"#/route/{id_}"
    assert page.text(".banner").startswith("Times are estimates: no road map covers this route")
    assert "by the clocks of America/New_York" in page.text(".aside header")
    start, hostile, late = page.run(
        "[...document.querySelectorAll('.stops button')].map((one) => one.innerText)"
    )
    assert "08:00" in start
    assert "≈ 08:03" in hostile
    assert HOSTILE in hostile
    assert "window 9:30\N{EN DASH}12:00 · waits 1 h 27 min" in hostile
    assert "planned 2 h 39 min late" in late
    assert page.run("document.querySelectorAll('.guess[d]').length") == 1
    page.press(".stops li:nth-child(2) button")
    assert page.run("document.querySelectorAll('[aria-pressed=true]').length") == 1
    assert HOSTILE in page.text(".tip")
    assert page.run("document.images.length") == 0


def test_what_stands_in_the_way_is_said_in_words(office: Office) -> None:
    page = office.page
    office.open(f"day/{DAY}")
    office.sign_in("wrong")
    page.wait_for("document.querySelector('[role=alert]')")
    assert "knows no such client ID with this secret" in page.text("[role=alert]")
    office.sign_in()
    page.wait_for(LOADED)
    assert "No routes are scheduled for this day." in page.text("main")
    office.add_route("Someday", {"orderName": "a"})
    page.press(".empty a")
    page.wait_for(f"{LOADED} && document.querySelector('tbody')")
    assert "Someday Estimated" in page.text("tbody")
    office.open("route/rte-unknown")
    page.wait_for("document.querySelector('[role=alert]')")
    assert "There is no such route." in page.text("[role=alert]")


def test_who_guesses_secrets_is_told_to_wait(office: Office) -> None:
    page = office.page
    wrong = {"clientId": office.client_id, "clientSecret": "wrong"}
    for _ in range(10):
        office.http.post("/authenticate", json=wrong)
    office.open("")
    office.sign_in()
    page.wait_for("document.querySelector('[role=alert]')")
    assert "Too many requests." in page.text("[role=alert]")
    assert "asks to wait" in page.text("[role=alert]")


def test_the_token_is_this_tabs_alone_and_the_secret_is_stored_nowhere(office: Office) -> None:
    page = office.page
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for(LOADED)
    kept = page.run("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])")
    (session,), local, cookies = (list(part) for part in json.loads(kept))
    assert (session, local, cookies) == ("roundsman.session", [], [])
    assert office.secret not in kept
    token = page.run("JSON.parse(sessionStorage.getItem('roundsman.session')).token")
    addresses = page.run("performance.getEntriesByType('resource').map((one) => one.name).join()")
    assert "/api/2024-07/routes?" in addresses
    assert token not in addresses + page.run("location.href")

    page.reload()
    page.wait_for(LOADED)
    page.run(TAKE_BACK)
    page.reload()
    page.wait_for("document.querySelector('form')")
    assert "You have been signed out." in page.text("[role=alert]")
    office.sign_in()
    page.wait_for(LOADED)
    token = page.run("JSON.parse(sessionStorage.getItem('roundsman.session')).token")
    page.press("#leave")
    page.wait_for("document.querySelector('form')")
    assert page.run("sessionStorage.length") == 0
    page.wait_for(ENDED)
    ended = office.http.get("/vehicles", headers={"Authorization": f"Bearer {token}"})
    assert ended.status_code == 401


def test_a_board_whose_server_went_away_says_so_and_keeps_what_it_knew(tmp_path: Path) -> None:
    program = find_chromium()
    if program is None:
        pytest.skip("Chromium is not installed")
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    with open_browser(program, tmp_path / "profile") as browser:
        with serving(tmp_path, url) as address:
            office = open_office(House(address, url, browser))
            office.open(f"day/{DAY}")
            office.sign_in()
            office.page.wait_for(LOADED)
            office.add_route("Harbour", {}, scheduledFor=f"{DAY}T08:00:00-04:00")
            office.page.press(".foot button")
            office.page.wait_for("document.querySelector('tbody')")
            office.http.close()
        office.page.press(".foot button")
        office.page.wait_for("document.querySelector('[role=alert]')")
        said = office.page.text("[role=alert]")
        assert "The server does not answer." in said
        assert re.search(r"What stands below is old: it is as of \d+ \w+ \d\d:\d\d\.", said)
        assert "Harbour" in office.page.text("tbody")


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_nothing_is_wider_than_the_window(office: Office, width: int) -> None:
    page = office.page
    long = {"orderName": "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik " * 2}
    id_ = office.add_route("Harbour" * 9, long, scheduledFor=f"{DAY}T08:00:00-04:00")
    page.size(width=width, height=700)
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for(f"{LOADED} && document.querySelector('tbody')")
    assert page.run("document.querySelector('main').scrollWidth") <= width
    office.open(f"route/{id_}")
    page.wait_for("document.querySelector('.map .marker')")
    assert page.run("document.querySelector('main').scrollWidth") <= width


@pytest.mark.parametrize(
    ("day", "zone", "begins"),
    [
        ("2030-05-06", "Europe/Berlin", "2030-05-05T22:00:00.000Z"),
        ("2030-05-06", "America/New_York", "2030-05-06T04:00:00.000Z"),
        ("2030-05-06", "Pacific/Kiritimati", "2030-05-05T10:00:00.000Z"),
        ("2030-03-31", "Europe/Berlin", "2030-03-30T23:00:00.000Z"),
        ("2030-04-01", "Europe/Berlin", "2030-03-31T22:00:00.000Z"),
        ("2030-10-28", "Europe/Berlin", "2030-10-27T23:00:00.000Z"),
        ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"),  # midnight was skipped
        ("2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"),  # 23 o'clock came twice
    ],
)
def test_a_day_begins_at_its_zones_midnight(house: House, day: str, zone: str, begins: str) -> None:
    page = house.browser.open_tab()
    page.open(f"{house.address}/console")
    page.wait_for("document.querySelector('form')")
    asked = f"new Date(times.beginningOf('{day}', '{zone}')).toISOString()"
    assert page.run(f"import('/console/times.js').then((times) => {asked})") == begins


@pytest.mark.full
def test_the_documentation_works_under_its_policy(office: Office) -> None:
    page = office.page
    page.open(f"{office.address}/api/2024-07/docs")
    page.wait_for("document.querySelectorAll('.opblock').length > 40")
    page.press(".opblock-summary-control")
    page.wait_for("document.querySelector('.opblock.is-open .try-out__btn')")
    page.press(".opblock.is-open .try-out__btn")
    page.wait_for("document.querySelector('.opblock.is-open .execute')")
    page.press(".opblock.is-open .execute")
    page.wait_for(
        "document.querySelector('.opblock.is-open .responses-table.live-responses-table')"
    )
    assert page.troubles == []
