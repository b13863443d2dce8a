"""The board in a real browser, before a real server."""

import json
import re
from pathlib import Path

import pytest
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, open_office

DAY = "2030-05-06"
HOSTILE = "<img src=x onerror=alert(1)>"
UNKNOWN = "\N{EN DASH}"
LOADED = ".rows[aria-busy=false]"
LISTED = f"body:has({LOADED}):has(tbody)"
ENDED = """() => performance.getEntriesByType("resource").some(
  (one) => one.name.endsWith("/sign-out") && one.responseStatus === 200
)"""
TAKE_BACK = """{
  const kept = JSON.parse(sessionStorage.getItem("roundsman.session"));
  sessionStorage.setItem("roundsman.session", JSON.stringify({ ...kept, token: "taken back" }));
}"""


def add_harbour(office: Office) -> str:
    """Add a route that waits at its first stop and misses its second."""
    window = {"start": {"hours": 9, "minutes": 30}, "end": {"hours": 12}}
    early = {"orderName": HOSTILE, "duration": "300s", "timeWindows": [window]}
    missed = {"orderName": "Early bird", "timeWindows": [{"end": {"hours": 7}}]}
    return office.add_route("Harbour", early, missed, scheduledFor=f"{DAY}T08:00:00-04:00")


def test_a_planner_sees_which_routes_of_a_day_are_on_estimates(office: Office) -> None:
    page = office.page
    add_harbour(office)
    office.add_route("Nothing yet", scheduledFor=f"{DAY}T01:00:00+02:00")
    office.add_route("Next day", scheduledFor=f"{DAY}T18:30:00-04:00")  # after midnight in Berlin
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for_selector(LOADED)
    assert page.evaluate("document.querySelector('caption').textContent").endswith("6 May 2030")
    rows = page.evaluate(
        "[...document.querySelectorAll('tbody tr')].map((row) =>"
        " [...row.children].map((cell) => cell.innerText.trim()))"
    )
    empty, harbour = rows
    assert empty == ["Nothing yet", "nobody", "none", "Empty", "0", "01:00", UNKNOWN, UNKNOWN]
    assert harbour == [
        "Harbour Estimated",
        *("nobody", "none", "Not optimized", "2", "14:00", "≈ 15:38", "1 planned late"),
    ]
    assert "The times of 1 of 2 routes are wholly or partly estimates" in page.inner_text(".banner")
    assert page.evaluate("document.activeElement.tagName") == "H1"  # a reader starts at the heading


def test_a_route_on_estimates_says_so_above_its_stops_and_on_its_map(office: Office) -> None:
    page = office.page
    id_ = add_harbour(office)
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for_selector(LOADED)
    page.click("tbody a")
    page.wait_for_function("() => document.querySelectorAll('.map .marker').length === 3")
    assert page.evaluate("location.hash") == f"#/route/{id_}"
    assert page.inner_text(".banner").startswith(
        "Times are estimates: no road map covers this route"
    )
    assert "by the clocks of America/New_York" in page.inner_text(".aside header")
    start, hostile, late = page.evaluate(
        "[...document.querySelectorAll('.stops button')].map((one) => one.innerText)"
    )
    assert "08:00" in start
    assert "≈ 08:03" in hostile
    assert HOSTILE in hostile
    assert "window 9:30\N{EN DASH}12:00 · waits 1 h 27 min" in hostile
    assert "planned 2 h 39 min late" in late
    assert page.evaluate("document.querySelectorAll('.guess[d]').length") == 1
    page.click(".stops li:nth-child(2) button")
    assert page.evaluate("document.querySelectorAll('[aria-pressed=true]').length") == 1
    assert HOSTILE in page.inner_text(".tip")
    assert page.evaluate("document.images.length") == 0


def test_what_stands_in_the_way_is_said_in_words(office: Office) -> None:
    page = office.page
    office.open(f"day/{DAY}")
    office.sign_in("wrong")
    page.wait_for_selector("[role=alert]", state="attached")
    assert "knows no such client ID with this secret" in page.inner_text("[role=alert]")
    office.sign_in()
    page.wait_for_selector(LOADED)
    assert "No routes are scheduled for this day." in page.inner_text("main")
    office.add_route("Someday", {"orderName": "a"})
    page.click(".empty a")
    page.wait_for_selector(LISTED)
    assert "Someday Estimated" in page.inner_text("tbody")
    office.open("route/rte-unknown")
    page.wait_for_selector("[role=alert]", state="attached")
    assert "There is no such route." in page.inner_text("[role=alert]")


def test_who_guesses_secrets_is_told_to_wait(office: Office) -> None:
    page = office.page
    wrong = {"clientId": office.client_id, "clientSecret": "wrong"}
    for _ in range(10):
        office.http.post("/authenticate", json=wrong)
    office.open("")
    office.sign_in()
    page.wait_for_selector("[role=alert]", state="attached")
    assert "Too many requests." in page.inner_text("[role=alert]")
    assert "asks to wait" in page.inner_text("[role=alert]")


def test_the_token_is_this_tabs_alone_and_the_secret_is_stored_nowhere(office: Office) -> None:
    page = office.page
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for_selector(LOADED)
    kept = page.evaluate(
        "JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])"
    )
    (session,), local, cookies = (list(part) for part in json.loads(kept))
    assert (session, local, cookies) == ("roundsman.session", [], [])
    assert office.secret not in kept
    token = page.evaluate("JSON.parse(sessionStorage.getItem('roundsman.session')).token")
    addresses = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name).join()"
    )
    assert "/api/2024-07/routes?" in addresses
    assert token not in addresses + page.evaluate("location.href")

    page.reload()
    page.wait_for_selector(LOADED)
    page.evaluate(TAKE_BACK)
    page.reload()
    page.wait_for_selector("form", state="attached")
    assert "You have been signed out." in page.inner_text("[role=alert]")
    office.sign_in()
    page.wait_for_selector(LOADED)
    token = page.evaluate("JSON.parse(sessionStorage.getItem('roundsman.session')).token")
    page.click("#leave")
    page.wait_for_selector("form", state="attached")
    assert page.evaluate("sessionStorage.length") == 0
    page.wait_for_function(ENDED)
    ended = office.http.get("/vehicles", headers={"Authorization": f"Bearer {token}"})
    assert ended.status_code == 401


def test_a_board_whose_server_went_away_says_so_and_keeps_what_it_knew(
    house: House, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    with serving(tmp_path, url) as address:
        office = open_office(House(address, url, house.browser))
        office.open(f"day/{DAY}")
        office.sign_in()
        office.page.wait_for_selector(LOADED)
        office.add_route("Harbour", {}, scheduledFor=f"{DAY}T08:00:00-04:00")
        office.page.click(".foot button")
        office.page.wait_for_selector("tbody", state="attached")
        office.http.close()
    office.page.click(".foot button")
    office.page.wait_for_selector("[role=alert]", state="attached")
    said = office.page.inner_text("[role=alert]")
    assert "The server does not answer." in said
    assert re.search(r"What stands below is old: it is as of \d+ \w+ \d\d:\d\d\.", said)
    assert "Harbour" in office.page.inner_text("tbody")
    office.page.close()


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_nothing_is_wider_than_the_window(office: Office, width: int) -> None:
    page = office.page
    long = {"orderName": "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik " * 2}
    id_ = office.add_route("Harbour" * 9, long, scheduledFor=f"{DAY}T08:00:00-04:00")
    page.set_viewport_size({"width": width, "height": 700})
    office.open(f"day/{DAY}")
    office.sign_in()
    page.wait_for_selector(LISTED)
    assert page.evaluate("document.querySelector('main').scrollWidth") <= width
    office.open(f"route/{id_}")
    page.wait_for_selector(".map .marker", state="attached")
    assert page.evaluate("document.querySelector('main').scrollWidth") <= width


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
    page = house.browser.new_page()
    page.goto(f"{house.address}/console")
    page.wait_for_selector("form", state="attached")
    asked = f"new Date(times.beginningOf('{day}', '{zone}')).toISOString()"
    assert page.evaluate(f"import('/console/times.js').then((times) => {asked})") == begins


def test_what_a_policy_blocks_is_noticed(office: Office) -> None:
    office.open("")
    elsewhere = "fetch('http://127.0.0.1:9/').catch(() => 'blocked')"
    with office.page.expect_console_message(lambda message: "connect-src" in message.text):
        assert office.page.evaluate(elsewhere) == "blocked"
    assert any("connect-src" in trouble for trouble in office.troubles)
    office.troubles.clear()


@pytest.mark.full
def test_the_documentation_works_under_its_policy(office: Office) -> None:
    page = office.page
    page.goto(f"{office.address}/api/2024-07/docs")
    page.wait_for_function("() => document.querySelectorAll('.opblock').length > 40")
    page.click(".opblock-summary-control")
    page.wait_for_selector(".opblock.is-open .try-out__btn", state="attached")
    page.click(".opblock.is-open .try-out__btn")
    page.wait_for_selector(".opblock.is-open .execute", state="attached")
    page.click(".opblock.is-open .execute")
    page.wait_for_selector(
        ".opblock.is-open .responses-table.live-responses-table", state="attached"
    )
    assert office.troubles == []
