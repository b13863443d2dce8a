"""What happened to a route and to a stop: who and when, newest first, read when it is opened."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.office import DROVE, Office
from tests.browser.test_console import button
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


def open_history(page: Page, name: str = "History", part: str = "History") -> Locator:
    button(page, name).click()
    entries = page.get_by_role("region", name=part, exact=True).get_by_role("listitem")
    expect(entries.first).to_be_visible()
    return entries


def test_a_route_says_who_moved_sent_and_delivered_what(office: Office) -> None:
    page = accept(office, "history@example.com")
    phone = office.dispatch("Harbour", {"orderName": "#1"}, {"orderName": "#2"})
    hills = office.add_route("Hills", scheduledFor=f"{DROVE}T08:00:00-04:00")
    first, second = office.stop_ids(phone.route_id)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/history" in one.url else None)
    office.open(f"route/{phone.route_id}")
    expect(page.get_by_role("list", name="Stops")).to_be_visible()
    assert asked == []
    entries = open_history(page)
    expect(entries.nth(0)).to_have_text(re.compile("^Route started.* · Dana$"))
    expect(entries.nth(1)).to_have_text(re.compile("^Dispatched.* · dev@example.com$"))
    expect(entries.nth(2)).to_contain_text("Stops put on the route: #1, #2")
    expect(entries.nth(3)).to_contain_text("Created")
    phone.tell("STOP_DELIVERED", stopId=first)
    expect(entries.nth(0)).to_contain_text("Delivered: #1")
    move = {"stopId": second, "toRouteId": hills}
    office.post("/routes/transfers", {"moves": [move]})
    gone = entries.filter(has_text="Stops taken off the route: #2 · to Hills")
    expect(gone).to_have_count(1)
    require_axe()
    assert find_faults(page) == []
    entries.filter(has_text="Delivered: #1").get_by_role("link", name="#1").click()
    of_stop = open_history(page, "History of this stop", "Stop #1")
    expect(of_stop.filter(has_text="Delivered: #1")).to_have_count(1)
    expect(of_stop.filter(has_text="Created")).to_have_count(0)
    office.open(f"route/{hills}/stop/{second}")
    of_stop = open_history(page, "History of this stop", "Stop #2")
    expect(of_stop.nth(0)).to_contain_text("Stops put on the route: #2 · from Harbour")


def test_older_changes_come_when_they_are_asked_for(office: Office) -> None:
    page = accept(office, "history.pages@example.com")
    route = office.add_route("Harbour 0", scheduledFor=f"{DAY}T08:00:00Z")

    def rename(number: int) -> None:
        body = {"route": {"name": f"Harbour {number}"}, "updateMask": "name"}
        assert office.http.patch(f"/routes/{route}", json=body).status_code == 200

    for number in range(1, 25):
        rename(number)
    office.open(f"route/{route}")
    entries = open_history(page)
    expect(entries).to_have_count(20)
    expect(entries.nth(0)).to_contain_text("Name: Harbour 23 → Harbour 24")
    button(page, "Show earlier").click()
    expect(entries).to_have_count(25)
    expect(entries.nth(24)).to_contain_text("Created")
    expect(button(page, "Show earlier")).to_have_count(0)
    rename(25)  # by another planner, while this one reads
    expect(entries).to_have_count(26)
    expect(entries.nth(0)).to_contain_text("Name: Harbour 24 → Harbour 25")
    expect(entries.nth(1)).to_contain_text("Name: Harbour 23 → Harbour 24")
    expect(entries.nth(25)).to_contain_text("Created")


def test_what_this_console_does_not_know_is_shown_by_its_name(office: Office) -> None:
    page = accept(office, "history.unknown@example.com")
    route = office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    body = {"route": {"maxStops": 9}, "updateMask": "maxStops"}
    assert office.http.patch(f"/routes/{route}", json=body).status_code == 200

    def answer(request: Route) -> None:
        response = request.fetch()
        text = response.text().replace('"kind":"CREATED"', '"kind":"ROUTE_LAUNCHED"')
        text = text.replace('"kind":"OPTIONS_CHANGED"', '"kind":"OTHER"')
        request.fulfill(response=response, body=text)

    page.route("**/history?*", answer)
    office.open(f"route/{route}")
    entries = open_history(page)
    other, launched = entries.nth(0), entries.nth(1)
    expect(launched).to_contain_text("ROUTE_LAUNCHED")
    expect(other).to_contain_text("Other change")
    expect(other).not_to_contain_text("_")
