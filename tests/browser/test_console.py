"""The planner's console in a real browser, found by roles and names, as screen readers say them."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, expect_proposal, open_office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 0a")

DAY = "2030-05-06"
SHEET = """Customer,Lat,Lng,Time Windows,Qty
Anna,39.290,-76.610,,1
Bert,39.295,-76.612,,1
Cleo,39.300,-76.615,,2
Dora,39.305,-76.605,,1
Emil,39.285,-76.600,,1
Fay,,,,1
"""


def region(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=re.compile(f"^{name}"))


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def open_day(office: Office, day: str = DAY) -> Page:
    office.open(f"day/{day}")
    expect(office.page.get_by_role("status").get_by_text("Live", exact=True)).to_be_visible()
    return office.page


def import_sheet(page: Page) -> None:
    button(page, "Import stops").click()
    dialog = page.get_by_role("dialog", name="Import stops")
    dialog.get_by_label("Spreadsheet").set_input_files(
        {"name": "stops.csv", "mimeType": "text/csv", "buffer": SHEET.encode()}
    )
    columns = dialog.get_by_role("table", name="Columns")
    expect(columns.get_by_role("combobox", name="Lat")).to_have_value("latitude")
    rows = dialog.get_by_role("table", name="Rows")
    expect(rows).to_contain_text("refused")
    button(dialog, "Import 5 stops").click()
    expect(dialog).to_be_hidden()


def test_what_the_rows_show_is_what_is_imported(office: Office) -> None:
    page = accept(office, "columns@example.com")
    open_day(office, "2030-05-19")
    button(page, "Import stops").click()
    dialog = page.get_by_role("dialog", name="Import stops")
    sheet = (
        "Stop,Title,Phone,Lat,Lng\nA-1,Bakery,410-555-0101,39.29,-76.61\nA-2,Deli,no,39.28,-76.6\n"
    )
    dialog.get_by_label("Spreadsheet").set_input_files(
        {"name": "stops.csv", "mimeType": "text/csv", "buffer": sheet.encode()}
    )
    rows = dialog.get_by_role("table", name="Rows").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("A-1")
    expect(rows.nth(2)).to_contain_text("warning")
    expect(rows.nth(2)).to_contain_text("phone: not of the form")
    columns = dialog.get_by_role("table", name="Columns")
    columns.get_by_role("combobox", name="Title").select_option("name")
    expect(rows.nth(1)).to_contain_text("Bakery")
    expect(columns.get_by_role("combobox", name="Stop")).to_have_value("")
    columns.get_by_role("combobox", name="Phone").select_option("not used")
    expect(rows.nth(2)).to_contain_text("ready")
    button(dialog, "Import 2 stops").click()
    expect(dialog).to_be_hidden()
    expect(unrouted(page)).to_have_count(2)
    names = [stop.get_by_role("link").inner_text() for stop in unrouted(page).all()]
    assert sorted(names) == ["Bakery", "Deli"]


def unrouted(page: Page) -> Locator:
    return page.get_by_role("region", name="Not on a route").get_by_role("listitem")


def test_an_order_is_found_by_its_number_where_its_customer_stands(office: Office) -> None:
    page = accept(office, "finder@example.com")
    when = "2030-05-20T08:00:00Z"
    kim = {"firstName": "Kim", "lastName": "Lee", "company": "Kim's Bakery"}
    office.add_route("Harbour", {"orderName": "#1041", "contact": kim}, scheduledFor=when)
    office.add_route("Hills", {"orderName": "#2001"}, scheduledFor=when)
    open_day(office, "2030-05-20")
    routes = region(page, "Routes").locator("li.route")
    expect(routes).to_have_count(2)
    page.get_by_role("searchbox", name="Search").fill("#1041")
    expect(routes).to_have_count(1)
    routes.get_by_role("link", name="Kim Lee").click()
    expect(page.get_by_role("region", name="Stop Kim Lee")).to_be_visible()


def test_a_stop_that_is_opened_on_a_phone_is_seen(office: Office) -> None:
    page = accept(office, "phone.stop@example.com")
    names = [{"orderName": f"#{number}"} for number in range(25)]
    route = office.add_route("Long", *names, scheduledFor="2030-05-21T08:00:00Z")
    page.set_viewport_size({"width": 390, "height": 844})
    office.open(f"route/{route}")
    page.get_by_role("list", name="Stops").get_by_role("link", name="#0", exact=True).click()
    expect(page.get_by_role("heading", name="#0", exact=True)).to_be_in_viewport()


def test_deleting_a_route_with_done_stops_says_what_becomes_of_them(office: Office) -> None:
    page = accept(office, "delete.done@example.com")
    phone = office.dispatch("Begun", {"orderName": "#1"}, {"orderName": "#2"})
    phone.tell("ROUTE_STARTED")
    phone.tell("STOP_DELIVERED", stopId=office.stop_ids(phone.route_id)[0])
    office.open(f"route/{phone.route_id}")
    button(page, "Delete").click()
    question = page.get_by_role("dialog", name="Delete")
    expect(question).to_contain_text("1 stop is done and would have to be planned again")
    button(question, "Cancel").click()


def test_an_empty_day_shows_ways_in(office: Office) -> None:
    page = accept(office, "empty@example.com")
    open_day(office, "2030-06-23")
    routes = region(page, "Routes")
    expect(routes.get_by_role("link", name="Send stops by the API")).to_be_visible()
    button(routes, "Import a spreadsheet").click()
    expect(page.get_by_role("dialog", name="Import stops")).to_be_visible()


def test_times_that_rest_on_no_map_say_so(office: Office) -> None:
    page = accept(office, "estimated@example.com")
    route = office.add_route("Guess", {"orderName": "#1"}, scheduledFor="2030-06-24T08:00:00Z")
    open_day(office, "2030-06-24")
    words = "Times are estimates"
    expect(region(page, "Routes")).to_contain_text(words)
    expect(region(page, "Routes").get_by_role("listitem")).to_contain_text("≈")
    office.open(f"route/{route}")
    expect(page.get_by_role("main")).to_contain_text(words)


def plan_two_vans(page: Page) -> None:
    button(page, "Plan").click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    dialog.get_by_role("spinbutton", name="Other vans").fill("2")
    dialog.get_by_role("textbox", name="Start").fill("39.29, -76.61")
    dialog.get_by_role("radio", name="Even").check()
    button(dialog, "Plan").click()
    expect_proposal(page, "Every stop is on a van.")
    button(dialog, "Apply").click()
    expect(dialog).to_be_hidden()


def test_a_morning_from_a_spreadsheet_to_the_road(office: Office) -> None:
    page = accept(office, "morning@example.com")
    office.post("/drivers", {"firstName": "Ama", "lastName": "Mensah"})
    open_day(office)
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 6, 2030")
    import_sheet(page)
    expect(region(page, "Not on a route")).to_contain_text("Anna")
    expect(page.get_by_role("heading", name="Not on a route · 5")).to_be_visible()
    plan_two_vans(page)
    expect(page.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
    routes = region(page, "Routes")
    expect(routes.get_by_role("listitem")).to_have_count(2)

    page.get_by_role("link", name="Van-1").first.click()
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops.first).to_be_visible()
    before = stops.count()
    button(stops.first, "Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile("Van-2")).click()
    expect(stops).to_have_count(before - 1)
    page.get_by_role("main").get_by_role("link", name="Day").click()
    button(page, "Undo").click()
    expect(button(page, "Redo")).to_be_enabled()
    page.get_by_role("link", name="Van-1").first.click()
    expect(stops).to_have_count(before)

    hand_over(page)
    office.open(f"day/{DAY}")
    expect(routes.get_by_role("listitem")).to_have_count(1)


def hand_over(page: Page) -> None:
    """Do with an open route what a planner does before and after a day."""
    button(page, "Assign driver").click()
    chooser = page.get_by_role("dialog", name="Assign driver")
    button(chooser, "Ama Mensah").click()
    expect(page.get_by_text("Ama Mensah")).to_be_visible()
    button(page, "Reoptimize").click()
    button(page, "Mark ready").click()
    button(page, "Archive").click()
    question = page.get_by_role("dialog", name="Archive")
    button(question, "Archive").click()
    expect(question).to_be_hidden()


def test_a_stop_shows_where_it_is_and_can_be_put_elsewhere(office: Office) -> None:
    page = accept(office, "stops@example.com")
    given = {"orderName": "#7", "coordinates": {"latitude": 39.3, "longitude": -76.6}}
    office.add_route("Harbour", given, scheduledFor=f"{DAY}T08:00:00-04:00")
    open_day(office)
    page.get_by_role("link", name="Harbour").first.click()
    page.get_by_role("link", name="#7").click()
    shown = region(page, "Stop")
    expect(shown).to_contain_text("given coordinates")
    # By the clocks in Baltimore, as in the list; the office is in Berlin.
    expect(shown).to_contain_text(re.compile(r"^#7\s*0?8:\d\d"))
    button(shown, "Fix location").click()
    dialog = page.get_by_role("dialog", name="Fix location")
    dialog.get_by_role("textbox", name="Address or coordinates").fill("39.31, -76.62")
    with page.expect_response(lambda answer: answer.url.endswith("/location")):
        button(dialog, "Save").click()
    expect(dialog).to_be_hidden()
    route = office.http.get("/routes").json()["routes"][0]
    assert route["stops"][0]["plannedCoordinates"] == {"latitude": 39.31, "longitude": -76.62}
    with page.expect_response(lambda answer: answer.url.endswith("/location")):
        page.keyboard.press("Control+z")
    route = office.http.get("/routes").json()["routes"][0]
    assert route["stops"][0]["plannedCoordinates"] == {"latitude": 39.3, "longitude": -76.6}


def test_a_tracking_link_is_copied_or_shown_to_be_copied(office: Office) -> None:
    page = accept(office, "copies@example.com")
    route = office.add_route("Harbour", {"orderName": "#7"}, scheduledFor=f"{DAY}T08:00:00-04:00")
    office.open(f"route/{route}/stop/{office.stop_ids(route)[0]}")
    copy = button(region(page, "Stop"), "Copy tracking link")
    expect(copy).to_be_visible()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {configurable: true})")
    copy.click()
    dialog = page.get_by_role("dialog", name="Tracking link")
    link = dialog.get_by_role("textbox").input_value()
    assert "/t/" in link
    button(dialog, "Close").click()
    page.evaluate("delete navigator.clipboard")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy.click()
    expect(page.get_by_role("log")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_another_planner_does_is_seen_and_a_lost_connection_is_said(
    house: House, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    with serving(tmp_path, url) as address:
        office = open_office(House(address, url, tmp_path, house.browser, house.playwright))
        office.open(f"day/{DAY}")
        office.sign_in()
        page = office.page
        expect(page.get_by_text("Live", exact=True)).to_be_visible()
        office.add_route("Harbour", {}, scheduledFor=f"{DAY}T08:00:00-04:00")
        expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
        office.http.close()
    expect(page.get_by_text(re.compile(r"As of \d\d:\d\d"))).to_be_visible()
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.close()


def test_the_token_is_this_tabs_alone_and_the_secret_is_stored_nowhere(office: Office) -> None:
    page = office.page
    office.open(f"day/{DAY}")
    office.sign_in()
    expect(region(page, "Routes")).to_contain_text("No route on this day yet.")
    kept = page.evaluate(
        "JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])"
    )
    (session,), local, cookies = (list(part) for part in json.loads(kept))
    assert (session, local, cookies) == ("roundsman.session", [], [])
    assert office.secret not in kept
    token = page.evaluate("sessionStorage.getItem('roundsman.session')")
    addresses = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name).join()"
    )
    assert "/api/2024-07/days/" in addresses
    assert token not in addresses + page.evaluate("location.href")
    page.get_by_role("button", name="API credentials").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_change_of_what_is_no_longer_on_the_screen_is_refused_in_words(office: Office) -> None:
    id_ = office.add_route("Harbour", {}, scheduledFor=f"{DAY}T08:00:00-04:00")
    page = accept(office, "conflict@example.com")
    page.route("**/changes*", lambda route: route.abort())
    office.open(f"route/{id_}")
    expect(page.get_by_role("heading", name="Harbour")).to_be_visible()
    office.http.patch(f"/routes/{id_}", json={"route": {"note": "x"}, "updateMask": "note"})
    button(page, "Reoptimize").click()
    expect(page.get_by_role("alert")).to_contain_text("changed meanwhile")
    button(page, "Reoptimize").click()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_whoever_may_only_look_has_no_handles(office: Office) -> None:
    office.add_route("Harbour", {}, scheduledFor=f"{DAY}T08:00:00-04:00")
    page = accept(office, "looks@example.com", Role.VIEWER)
    open_day(office)
    expect(page.get_by_text("View only", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    for name in ("Plan", "Import stops", "New route", "Dispatch", "Undo"):
        expect(button(page, name)).to_have_count(0)


def test_drivers_are_invited_by_a_link_and_a_code(office: Office) -> None:
    page = accept(office, "people@example.com")
    page.get_by_role("link", name="Drivers").click()
    button(page, "Invite driver").click()
    dialog = page.get_by_role("dialog", name="Invite driver")
    dialog.get_by_role("textbox", name="First name").fill("Ama")
    dialog.get_by_role("textbox", name="Last name").fill("Mensah")
    button(dialog, "Invite").click()
    assert "http" in dialog.get_by_role("textbox", name="Invite link").input_value()
    expect(dialog.get_by_role("img", name="Invite as QR code")).to_be_visible()
    button(dialog, "Close").click()
    expect(page.get_by_role("cell", name="Ama Mensah", exact=True)).to_be_visible()
    page.get_by_role("link", name="Vehicles").click()
    button(page, "New vehicle").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Van 7")
    button(page, "Add vehicle").click()
    expect(page.get_by_role("cell", name="Van 7", exact=True)).to_be_visible()


def test_a_dialog_keeps_what_was_typed_when_it_is_refused_and_asks_once(office: Office) -> None:
    page = accept(office, "typed.once@example.com")
    page.get_by_role("link", name="Drivers").click()
    button(page, "Invite driver").click()
    dialog = page.get_by_role("dialog", name="Invite driver")
    dialog.get_by_role("textbox", name="First name").fill("Ama")
    dialog.get_by_role("textbox", name="Phone").fill("410 555 0123")
    button(dialog, "Invite").click()
    words = "phone must be a phone number in E.164 form, such as +14105550123"
    expect(dialog.get_by_role("alert")).to_have_text(words)
    expect(dialog.get_by_role("textbox", name="First name")).to_have_value("Ama")
    dialog.get_by_role("textbox", name="Phone").fill("+1 (410) 555-0123")
    button(dialog, "Invite").dblclick()
    expect(dialog.get_by_role("textbox", name="Invite link")).to_be_visible()
    (driver,) = office.http.get("/drivers").json()["drivers"]
    assert driver["phone"] == "+14105550123"
    button(dialog, "Close").click()
    expect(page.get_by_role("row", name="Ama")).to_contain_text("Invited")


@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_is_wider_than_the_window(office: Office, width: int) -> None:
    long = {"orderName": "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik " * 2}
    id_ = office.add_route("Harbour" * 9, long, scheduledFor=f"{DAY}T08:00:00-04:00")
    page = accept(office, f"wide{width}@example.com")
    page.set_viewport_size({"width": width, "height": 700})
    for screen in (
        f"day/{DAY}",
        f"route/{id_}",
        "drivers",
        "vehicles",
        "exceptions",
        "reports",
        "settings",
    ):
        office.open(screen)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, screen


def test_texts_of_customers_stay_text(office: Office) -> None:
    evil = "<img src=x onerror=document.title='owned'>"
    id_ = office.add_route(evil, {"orderName": evil}, scheduledFor=f"{DAY}T08:00:00-04:00")
    page = accept(office, "text@example.com")
    open_day(office)
    expect(page.get_by_role("link", name=evil).first).to_be_visible()
    office.open(f"route/{id_}")
    expect(page.get_by_role("link", name=evil).first).to_be_visible()
    assert page.title() == "Roundsman"


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


def test_what_would_help_a_stop_that_stays_out_is_a_button(office: Office) -> None:
    page = accept(office, "short@example.com")
    monday = {"year": 2030, "month": 5, "day": 6}
    long = {"duration": "18000s", "deliveryDate": monday}
    places = [{"latitude": 39.29 + away / 100, "longitude": -76.61} for away in (1, 2)]
    office.post("/stops/imports", [{"coordinates": place, **long} for place in places])
    open_day(office)
    unrouted = region(page, "Not on a route")
    expect(unrouted.get_by_role("link", name="Stop", exact=True)).to_have_count(2)
    button(page, "Plan").click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    dialog.get_by_role("spinbutton", name="Other vans").fill("1")
    dialog.get_by_role("textbox", name="Start").fill("39.29, -76.61")
    button(dialog, "Plan").click()
    proposal = expect_proposal(page, "1 stop stays unplanned")
    expect(button(proposal, "Leave Stop out instead")).to_be_visible()
    drawn = proposal.get_by_role("group", name="The proposal on the map").locator("xpath=../canvas")
    pixels = "canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
    assert drawn.evaluate(f"canvas => {pixels}.some((one) => one > 0)")
    page.set_viewport_size({"width": 390, "height": 844})
    button(proposal, "One more vehicle like Van 1").click()
    expect_proposal(page, "Every stop is on a van.")


def test_words_about_a_silent_server_go_when_it_answers(office: Office) -> None:
    page = accept(office, "silent@example.com")
    open_day(office)
    page.route("**/days/**", lambda route: route.abort())
    stop = {"coordinates": {"latitude": 39.3, "longitude": -76.6}, "orderName": "While away"}
    office.post("/stops/imports", [stop])
    words = page.get_by_text("The server does not answer.")
    expect(words).to_be_visible()
    page.unroute("**/days/**")
    office.post("/stops/imports", [{**stop, "orderName": "Back again"}])
    expect(words).to_be_hidden()
    assert office.troubles == []


def test_a_deleted_route_leads_to_its_day_and_is_said_to_be_gone(office: Office) -> None:
    page = accept(office, "gone@example.com")
    office.add_route("Van 1", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    open_day(office)
    page.get_by_role("link", name="Van 1").first.click()
    button(page, "Delete").click()
    button(page.get_by_role("dialog", name="Delete"), "Delete").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 6, 2030")
    expect(region(page, "Routes")).to_contain_text("No route on this day yet.")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("main")).to_contain_text("This is not there any more.")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("main").get_by_role("link", name="Day").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 6, 2030")


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_name_leaves_the_words_beside_it_whole(office: Office, width: int) -> None:
    page = accept(office, f"long.{width}@example.com")
    name = "The baker who is at the corner by the old mill behind the church " * 3
    office.add_route("Van 1", {"orderName": name}, scheduledFor=f"{DAY}T08:00:00Z")
    open_day(office)
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("radio", name="List").check()
    state = page.get_by_role("cell", name="Planned")
    lines = """one => {
        const words = document.createRange();
        words.selectNodeContents(one);
        return words.getClientRects().length;
    }"""
    assert state.evaluate(lines) == 1


def test_an_archived_route_leads_to_its_day(office: Office) -> None:
    page = accept(office, "archived@example.com")
    office.add_route("Van 1", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    open_day(office)
    page.get_by_role("link", name="Van 1").first.click()
    button(page, "Archive").click()
    question = page.get_by_role("dialog", name="Archive")
    expect(question).to_contain_text("Still open: 1 stop. Their customers read that the delivery")
    button(question, "Archive").click()
    expect(page.get_by_role("log")).to_have_text("Van 1: Archived")
    expect(page.get_by_role("heading", level=1)).to_contain_text("May 6, 2030")
    expect(region(page, "Routes")).to_contain_text("No route on this day yet.")


def test_the_page_of_an_archived_route_offers_the_way_back_alone(office: Office) -> None:
    page = accept(office, "unarchives@example.com")
    id_ = office.add_route("Van 1", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    office.post(f"/routes/{id_}/archive", {})
    office.open(f"route/{id_}/stop/{office.stop_ids(id_)[0]}")
    expect(page.get_by_text("This route is archived")).to_be_visible()
    expect(region(page, "Stop #1").get_by_role("button", name="Copy tracking link")).to_be_visible()
    for name in ("Archive", "Delete", "Dispatch", "Reoptimize", "Mark ready", "Assign driver"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    for name in ("Edit", "Fix location", "Keep its place", "Move to…", "Pin of #1"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_have_count(0)
    button(page, "Unarchive").click()
    expect(page.get_by_role("button", name="Dispatch", exact=True)).to_be_enabled()
    expect(page.get_by_text("This route is archived")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(button(page, "Unarchive")).to_be_visible()


def test_a_menu_closes_by_escape_and_by_a_press_elsewhere(office: Office) -> None:
    page = accept(office, "menus@example.com")
    office.add_route("Van 1", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    open_day(office)
    page.get_by_role("link", name="Van 1").first.click()
    for name in ("Export", "Ann Ames"):
        button(page, name).click()
        expect(page.get_by_role("menu")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("menu")).to_have_count(0)
        button(page, name).click()
        page.get_by_role("heading", level=1).click()
        expect(page.get_by_role("menu")).to_have_count(0)
