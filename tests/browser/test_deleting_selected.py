"""Stops that are selected are deleted together: those on no route, and what stays is said."""

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
ON_DAY = {"deliveryDate": {"year": 2030, "month": 5, "day": 6}}
PLACE = {"latitude": 39.31, "longitude": -76.6}


def add_loose(office: Office, *names: str) -> dict[str, str]:
    """Return ids of stops on no route, by name."""
    drafts = [{"orderName": name, "coordinates": PLACE, **ON_DAY} for name in names]
    made = office.post("/stops/imports", drafts)["stops"]
    return {stop["orderName"]: stop["id"] for stop in made}


def make_a_route(page: Page) -> Locator:
    """Change what Undo takes back, and return its button."""
    page.get_by_role("button", name="New route").click()
    dialog = page.get_by_role("dialog", name="New route")
    dialog.get_by_role("textbox", name="Name").fill("Hills")
    dialog.get_by_role("textbox", name="Start").fill("39.31, -76.6")
    dialog.get_by_role("button", name="Create route").click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    return undo


def test_selected_stops_are_deleted_by_one_answer_and_those_on_routes_stay(office: Office) -> None:
    page = accept(office, "delete@example.com")
    route = office.add_route("Harbour", {"orderName": "#R"}, scheduledFor=f"{DAY}T08:00:00Z")
    add_loose(office, "#1", "#2", "#3", "#4", "#5", "#6", "#7")
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    page.get_by_role("checkbox", name="Select #R").check()
    expect(page.get_by_role("button", name="Delete selected…")).to_have_count(0)
    page.get_by_role("checkbox", name="Select #1").check()
    page.get_by_role("checkbox", name="Select #6").click(modifiers=["Shift"])
    page.get_by_role("button", name="Move selected…").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Delete selected…")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Delete selected")
    expect(dialog).to_contain_text("6 stops (#1, #2, #3, #4, #5, …).")
    expect(dialog).to_contain_text("Stops on routes and orders of shops stay.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Not on a route · 7")).to_be_visible()
    page.get_by_role("button", name="Delete selected…").click()
    dialog.get_by_role("button", name="Delete selected").click()
    expect(page.get_by_role("heading", name="Not on a route · 1")).to_be_visible()
    expect(page.get_by_text("1 stop selected")).to_be_visible()
    left = office.http.get("/stops/imports", params={"query.unrouted": "true"}).json()["stops"]
    assert [stop["orderName"] for stop in left] == ["#7"]
    assert len(office.stop_ids(route)) == 1


def test_a_stop_that_is_on_a_route_by_now_is_not_deleted_and_that_is_said(office: Office) -> None:
    page = accept(office, "delete.late@example.com")
    route = office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    ids = add_loose(office, "#1", "#2", "#3")
    office.open(f"day/{DAY}")
    undo = make_a_route(page)
    for name in ids:
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("button", name="Delete selected…").click()
    dialog = page.get_by_role("dialog", name="Delete selected")
    expect(dialog).to_contain_text("3 stops (#1, #2, #3).")
    # Meanwhile another planner brings one, and deletes one.
    office.post(f"/routes/{route}/stops", [{"importedStopId": ids["#1"]}])
    assert office.http.delete(f"/stops/imports/{ids['#2']}").status_code == 200
    dialog.get_by_role("button", name="Delete selected").click()
    expect(page.get_by_role("alert")).to_contain_text("#1 was changed meanwhile")
    expect(page.get_by_role("alert")).not_to_contain_text("#2")
    expect(page.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
    expect(undo).to_be_disabled()
    assert [office.http.get(f"/stops/imports/{id_}").status_code for id_ in ids.values()] == [
        200,
        404,
        404,
    ]


def test_where_the_server_goes_away_it_is_said_and_what_is_left_stays_selected(
    office: Office,
) -> None:
    page = accept(office, "delete.away@example.com")
    ids = add_loose(office, "#1", "#2", "#3")
    office.open(f"day/{DAY}")
    undo = make_a_route(page)
    for name in ids:
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.route(
        f"**/stops/imports/{ids['#2']}",
        lambda route: route.fulfill(status=500, json={"code": 13, "message": "internal error"}),
    )
    page.get_by_role("button", name="Delete selected…").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete selected").click()
    expect(page.get_by_role("alert")).to_contain_text("internal error")
    expect(page.get_by_text("2 stops selected")).to_be_visible()
    expect(page.get_by_role("heading", name="Not on a route · 2")).to_be_visible()
    expect(undo).to_be_disabled()
