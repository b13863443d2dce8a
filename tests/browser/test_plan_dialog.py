"""Planning a day in a dialog: what is proposed, what routes should rather be, what moves cost."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import PLANNED_WITHIN, Office, expect_proposal
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


def add_two_routes(office: Office) -> None:
    """Add two routes that would better swap their last halves."""
    for name, halves in (("Harbour", (-76.56, -76.66)), ("Hills", (-76.66, -76.56))):
        stops = [
            {
                "orderName": f"{name} {east} {number}",
                "coordinates": {"latitude": 39.3 + number / 200, "longitude": east},
            }
            for east in halves
            for number in range(3)
        ]
        office.add_route(name, *stops, scheduledFor=f"{DAY}T08:00:00Z")


def test_a_day_is_planned_anew_with_as_few_moves_as_the_planner_wants(office: Office) -> None:
    page = accept(office, "anew@example.com")
    add_two_routes(office)
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Hills").first).to_be_visible()
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    expect(dialog.get_by_role("textbox", name="Start")).to_have_value("39.29, -76.61")
    dialog.get_by_role("spinbutton", name="Other vans").fill("0")
    dialog.get_by_role("checkbox", name="planned anew").check()
    dialog.get_by_role("radio", name="Even").check()
    dialog.get_by_role("checkbox", name="Compact routes").check()
    dialog.get_by_role("button", name="Plan", exact=True).click()
    curve = page.get_by_role("region", name="What fewer changes would cost")
    last = curve.get_by_role("listitem").last
    expect(last).to_contain_text("This plan", timeout=PLANNED_WITHIN)
    expect(last).not_to_contain_text("0 stops")
    expect(page.get_by_role("alert")).to_have_count(0)
    curve.get_by_role("button", name="0 stops change their route").click()
    expect(curve).to_have_count(0)
    dialog.get_by_role("button", name="Apply").click(timeout=PLANNED_WITHIN)
    expect(dialog).to_be_hidden()
    for route in office.http.get("/routes").json()["routes"]:
        assert {stop["orderName"].split()[0] for stop in route["stops"]} == {route["name"]}


def plan_two_stops(office: Office, page: Page, second: dict[str, Any] | None = None) -> None:
    """Have a day with two stops on no route planned."""
    places = [{"coordinates": {"latitude": 39.3, "longitude": -76.6 + east}} for east in (0, 0.1)]
    day = dict(zip(("year", "month", "day"), map(int, DAY.split("-")), strict=True))
    stops = [{**place, **more} for place, more in zip(places, ({}, second or {}), strict=True)]
    office.post("/stops/imports", [{"deliveryDate": day, **stop} for stop in stops])
    office.open(f"day/{DAY}")
    expect(page.get_by_role("heading", name="Not on a route · 2")).to_be_visible()
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    dialog.get_by_role("textbox", name="Start").fill("39.29, -76.61")
    dialog.get_by_role("button", name="Plan", exact=True).click()


def test_stops_of_one_name_are_told_apart_by_what_they_do_not_share(office: Office) -> None:
    page = accept(office, "apart@example.com")
    day = dict(zip(("year", "month", "day"), map(int, DAY.split("-")), strict=True))
    night = {"start": {"hours": 2, "minutes": 0}, "end": {"hours": 3, "minutes": 0}}
    later = {"start": {"hours": 3, "minutes": 0}, "end": {"hours": 4, "minutes": 0}}
    told = [
        ("Köhler", "1 Dock Road", night),
        ("Köhler", "2 Dock Road", night),
        ("Krone", "3 Dock Road", night),
        ("Krone", "3 Dock Road", later),
        ("Alone", "4 Dock Road", night),
    ]
    stops = [
        {
            "deliveryDate": day,
            "contact": {"lastName": name},
            "address": {"address1": street},
            "coordinates": {"latitude": 39.3, "longitude": -76.6},
            "timeWindows": [window],
        }
        for name, street, window in told
    ]
    office.post("/stops/imports", stops)
    office.open(f"day/{DAY}")
    expect(page.get_by_role("heading", name=f"Not on a route · {len(told)}")).to_be_visible()
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    names: list[str | re.Pattern[str]] = [
        "Köhler · 1 Dock Road",
        "Köhler · 2 Dock Road",
        re.compile(r"^Krone · 3 Dock Road · 0?2:00"),
        re.compile(r"^Krone · 3 Dock Road · 0?3:00"),
        "Alone",
    ]
    for name in names:
        exact = isinstance(name, str)
        expect(dialog.get_by_role("checkbox", name=name, exact=exact)).to_have_count(1)


def test_a_network_that_fails_while_a_plan_is_made_is_waited_for(office: Office) -> None:
    page = accept(office, "waited@example.com")
    looks = re.compile(r"/plans/[^/]+$")
    page.route(looks, lambda route: route.abort())
    plan_two_stops(office, page)
    dialog = page.get_by_role("dialog", name="Plan the day")
    expect(dialog.get_by_role("alert")).to_contain_text("does not answer")
    for _ in range(2):  # browsers close a dialog at the second, whatever its page says
        page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    page.unroute(looks)
    expect_proposal(page, "Every stop is on a van.")
    expect(dialog.get_by_role("alert")).to_have_count(0)


def test_a_dialog_goes_with_its_day(office: Office) -> None:
    page = accept(office, "back@example.com")
    office.open("day/2030-05-07")
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 7, 2030")
    page.get_by_role("button", name="Previous day").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 6, 2030")
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    expect(dialog).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 7, 2030")
    expect(dialog).to_be_hidden()


def test_a_vehicle_keeps_its_hours_and_one_on_a_route_is_not_planned_twice(office: Office) -> None:
    page = accept(office, "busy@example.com")
    early = {"start": {"hours": 6}, "end": {"hours": 14}}
    vehicles = [
        office.post("/vehicles", {"name": name, **fields})["id"]
        for name, fields in (("Busy", {}), ("Early", {"shift": early}))
    ]
    when = f"{DAY}T08:00:00Z"
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=when, vehicleId=vehicles[0])
    with page.expect_request(
        lambda one: one.url.endswith("/plans") and one.method == "POST"
    ) as sent:
        plan_two_stops(office, page)
    body = sent.value.post_data_json
    assert body is not None
    (planned,) = body["vehicles"]
    assert planned["vehicleId"] == vehicles[1]
    assert planned["shift"] == {"start": f"{DAY}T04:00:00.000Z", "end": f"{DAY}T12:00:00.000Z"}
    assert planned["start"]["coordinates"] == {"latitude": 39.29, "longitude": -76.61}
    expect_proposal(page, "")


def test_a_new_route_leaves_when_the_planner_says(office: Office) -> None:
    page = accept(office, "leaves@example.com")
    office.open(f"day/{DAY}")
    page.get_by_role("button", name="New route").click()
    dialog = page.get_by_role("dialog", name="New route")
    dialog.get_by_role("textbox", name="Name").fill("Night")
    dialog.get_by_role("textbox", name="Start").fill("39.29, -76.61")
    expect(dialog.get_by_label("Leaves at")).to_have_value("08:00")
    dialog.get_by_label("Leaves at").fill("21:30")
    dialog.get_by_role("button", name="Create route").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Night").first.click()
    expect(page.get_by_text("leaves 21:30")).to_be_visible()


def test_why_a_stop_stays_out_and_what_would_help_say_a_time_alike(office: Office) -> None:
    page = accept(office, "alike@example.com")
    day = dict(zip(("year", "month", "day"), map(int, DAY.split("-")), strict=True))
    morning = {"start": {"hours": 10}, "end": {"hours": 12}}
    place = {"latitude": 39.3, "longitude": -76.6}
    stop = {"deliveryDate": day, "coordinates": place, "timeWindows": [morning]}
    office.post("/stops/imports", [stop])
    office.open(f"day/{DAY}")
    expect(page.get_by_role("heading", name="Not on a route · 1")).to_be_visible()
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    dialog.get_by_role("textbox", name="Start").fill("39.29, -76.61")
    dialog.get_by_label("From").fill("20:00")  # two in the afternoon at the stop
    dialog.get_by_label("To", exact=True).fill("23:00")  # a night's shift is told its date instead
    dialog.get_by_role("button", name="Plan", exact=True).click()
    proposal = expect_proposal(page, "its windows are missed by")
    out = proposal.get_by_role("listitem")
    missed = re.search(r"missed by (\d+ h \d\d min)", out.inner_text())
    assert missed is not None
    expect(out.get_by_role("button")).to_contain_text([f"Close the window {missed[1]} later"])


def test_two_proposals_can_be_compared_and_vans_keep_their_colors(office: Office) -> None:
    page = accept(office, "compare@example.com")
    office.post("/vehicles", {"name": "Caddy"})
    office.post("/vehicles", {"name": "Sprinter"})
    for name, day in (("Harbour", DAY), ("Hills", "2030-05-07")):
        office.add_route(name, {"orderName": name}, scheduledFor=f"{day}T08:00:00Z")
    plan_two_stops(office, page, {"requiredSkills": ["crane"]})
    proposal = expect_proposal(page, "1 stop stays unplanned")
    figures = r"1 van, 1 unplanned · (\d+ h )?\d+ min · [\d.]+ km · cost [\d.]+"
    expect(proposal.get_by_text(re.compile(f"^{figures}$"))).to_be_visible()
    proposal.get_by_role("button", name="with crane").first.click()
    proposal = expect_proposal(page, "Every stop is on a van.")
    expect(proposal.get_by_text(re.compile(f"^Before: {figures}$"))).to_be_visible()
    row = proposal.get_by_role("button", name=re.compile("Caddy|Sprinter"))
    name = row.inner_text()
    proposed = row.evaluate("one => getComputedStyle(one.firstChild).backgroundColor")
    page.get_by_role("button", name="Apply", exact=True).click()
    made = page.get_by_role("region", name="Routes").get_by_role("listitem").filter(has_text=name)
    expect(made).to_have_css("border-inline-start-color", proposed)


def test_a_fleet_that_is_all_on_the_road_gets_no_vans_that_it_does_not_have(office: Office) -> None:
    page = accept(office, "all.out@example.com")
    vehicle = office.post("/vehicles", {"name": "Caddy"})["id"]
    office.add_route(
        "Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z", vehicleId=vehicle
    )
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    expect(dialog.get_by_role("checkbox", name="Caddy")).not_to_be_checked()
    others = dialog.get_by_role("spinbutton", name="Other vans")
    expect(others).to_be_enabled()
    expect(others).to_have_value("0")
