"""The rounds of another day are copied on the console, in the browser, before a real server."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.office import Office
from tests.browser.test_console import button, open_day, region
from tests.browser.test_members import accept
from tests.support.waiting import wait_until

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors §4.1")

LAST_WEEK, THIS_WEEK = "2030-11-01", "2030-11-08"
"""Two Fridays, between which the clocks go back where the routes start, in Baltimore."""

NAME = "Copy from another day"


def drive_last_week(office: Office) -> None:
    leaves = {"scheduledFor": f"{LAST_WEEK}T08:00:00-04:00"}
    office.add_route("North", {"orderName": "#1"}, {"orderName": "#2"}, **leaves)
    office.add_route("South", {"orderName": "#3"}, **leaves)


def open_dialog(page: Page) -> Locator:
    button(region(page, "Routes"), NAME).click()
    return page.get_by_role("dialog", name=NAME)


def test_an_empty_day_gets_the_rounds_of_the_same_weekday_a_week_before(office: Office) -> None:
    drive_last_week(office)
    before = {stop["id"] for stop in office.http.get("/stops/imports").json()["stops"]}
    page = accept(office, "rounds@example.com")
    open_day(office, THIS_WEEK)
    dialog = open_dialog(page)
    expect(dialog.get_by_label("Copy from")).to_have_value(LAST_WEEK)
    expect(dialog.get_by_role("status")).to_contain_text("Friday")
    expect(dialog.get_by_role("status")).to_contain_text("2 routes · 3 stops")
    button(dialog, "Copy 2 routes").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("log")).to_have_text("2 routes copied.")
    routes = region(page, "Routes")
    expect(routes.get_by_role("listitem")).to_have_count(2)
    expect(routes.get_by_role("listitem").first).to_contain_text("0/2")
    expect(page.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
    day = office.http.get(f"/days/{THIS_WEEK}").json()
    assert [route["name"] for route in day["routes"]] == ["North", "South"]
    assert {route["scheduledFor"] for route in day["routes"]} == {"2030-11-08T13:00:00Z"}
    button(page, "Undo").click()
    expect(routes.get_by_role("listitem")).to_have_count(0)
    button(page, "Redo").click()
    expect(routes.get_by_role("listitem")).to_have_count(2)
    made = {stop["id"] for stop in office.http.get("/stops/imports").json()["stops"]}
    assert len(made - before) == 3, "what was taken back left stops behind"


def test_a_copy_that_was_changed_since_is_not_taken_back(office: Office) -> None:
    drive_last_week(office)
    page = accept(office, "changed@example.com")
    open_day(office, THIS_WEEK)
    button(open_dialog(page), "Copy 2 routes").click()
    routes = region(page, "Routes")
    expect(routes.get_by_role("listitem")).to_have_count(2)
    south = office.http.get(f"/days/{THIS_WEEK}").json()["routes"][1]
    office.http.patch(
        f"/routes/{south['id']}", json={"route": {"name": "Far south"}, "updateMask": "name"}
    ).raise_for_status()
    expect(routes.get_by_role("link", name="Far south").first).to_be_visible()
    button(page, "Undo").click()
    expect(page.get_by_role("alert").first).to_contain_text("changed meanwhile")
    expect(routes.get_by_role("listitem")).to_have_count(1)
    expect(routes.get_by_role("listitem").first).to_contain_text("Far south")


def test_a_copy_whose_changes_were_taken_back_is_taken_back_too(office: Office) -> None:
    drive_last_week(office)
    page = accept(office, "moved.back@example.com")
    open_day(office, THIS_WEEK)
    dialog = open_dialog(page)
    button(dialog, "Copy 2 routes").click()
    expect(dialog).to_be_hidden()
    page.keyboard.press("2")
    lanes = page.get_by_role("group", name="Board").get_by_role("region")
    north = lanes.filter(has_text="North").get_by_role("listitem")
    expect(north).to_have_count(2)
    for target, left in (("South", 1), ("Not on a route", 0)):
        button(north.first, "Move to…").click()
        moving = page.get_by_role("dialog", name="Move stop")
        moving.get_by_role("button", name=re.compile(f"^{target}")).click()
        expect(north).to_have_count(left)
    for back in (1, 2):
        button(page, "Undo").click()
        expect(north).to_have_count(back)
    button(page, "Undo").click()
    expect(north).to_have_count(0)
    wait_until(lambda: office.http.get(f"/days/{THIS_WEEK}").json()["routes"] == [])
    expect(page.get_by_role("alert")).to_have_count(0)


def test_another_day_can_be_chosen_and_one_without_routes_is_not_copied(office: Office) -> None:
    drive_last_week(office)
    page = accept(office, "choosing@example.com")
    open_day(office, "2030-11-13")
    dialog = open_dialog(page)
    found = dialog.get_by_role("status")
    expect(found).to_contain_text("That day has no route.")
    expect(button(dialog, "Copy 0 routes")).to_be_disabled()
    dialog.get_by_label("Copy from").fill("2030-11-13")
    expect(found).to_contain_text("This is the open day")
    expect(button(dialog, "Copy 0 routes")).to_be_disabled()
    dialog.get_by_label("Copy from").fill(LAST_WEEK)
    expect(found).to_contain_text("2 routes · 3 stops")
    button(dialog, "Copy 2 routes").click()
    expect(region(page, "Routes").get_by_role("listitem")).to_have_count(2)


def test_what_was_left_out_is_said_in_words_before_the_dialog_goes(office: Office) -> None:
    van = office.post("/vehicles", {"name": "Old Bess"})["id"]
    driver = office.post("/drivers", {"firstName": "Dana", "lastName": "Fox"})["driver"]["id"]
    leaves = {"scheduledFor": f"{LAST_WEEK}T08:00:00-04:00"}
    office.add_route("North", {"orderName": "#1"}, vehicleId=van, driverId=driver, **leaves)
    office.post(f"/vehicles/{van}/archive", None)
    office.post(f"/drivers/{driver}/archive", None)
    page = accept(office, "warned@example.com")
    page.clock.install()
    open_day(office, THIS_WEEK)
    dialog = open_dialog(page)
    button(dialog, "Copy 1 route").click()
    told = dialog.get_by_role("listitem")
    expect(told).to_have_text(
        [
            "North: without a vehicle, for Old Bess is no longer in the fleet.",
            "North: without a driver, for Dana Fox no longer drives.",
        ]
    )
    expect(dialog).to_contain_text("1 route copied.")
    page.clock.fast_forward(60_000)  # longer than a notice stays
    expect(dialog).to_contain_text("1 route copied.")
    button(dialog, "Close").click()
    expect(dialog).to_be_hidden()
    expect(region(page, "Routes").get_by_role("listitem")).to_have_count(1)


def test_routes_whose_answer_was_lost_are_copied_once(office: Office) -> None:
    drive_last_week(office)
    page = accept(office, "lost@example.com")
    open_day(office, THIS_WEEK)
    dialog = open_dialog(page)
    made: list[int] = []

    def lose_the_answer(route: Route) -> None:
        """Let them be made, drop what the server said, and let nothing more reach it."""
        if not made:
            made.append(route.fetch().status)
        route.abort()

    page.route("**/copies", lose_the_answer)
    button(dialog, "Copy 2 routes").click()
    expect(dialog.get_by_role("alert")).to_contain_text("does not answer")
    assert made == [200]
    page.unroute("**/copies")
    button(dialog, "Cancel").click()
    button(open_dialog(page), "Copy 2 routes").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("log")).to_have_text("2 routes copied.")
    assert len(office.http.get(f"/days/{THIS_WEEK}").json()["routes"]) == 2
    button(open_dialog(page), "Copy 2 routes").click()
    expect(dialog).to_be_hidden()
    assert len(office.http.get(f"/days/{THIS_WEEK}").json()["routes"]) == 4


def test_a_day_with_routes_can_get_more_and_a_viewer_copies_nothing(office: Office) -> None:
    drive_last_week(office)
    office.add_route("There", {"orderName": "#9"}, scheduledFor=f"{THIS_WEEK}T08:00:00+01:00")
    page = accept(office, "more@example.com")
    open_day(office, THIS_WEEK)
    button(open_dialog(page), "Copy 2 routes").click()
    expect(region(page, "Routes").get_by_role("listitem")).to_have_count(3)
    looking = accept(office, "viewer@example.com", Role.VIEWER)
    for date in (THIS_WEEK, "2030-12-06"):
        open_day(office, date)
        expect(looking.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
        expect(region(looking, "Routes").get_by_role("heading")).to_be_visible()
        expect(button(looking, NAME)).to_have_count(0)
