"""What is taken back in the console is as it was."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


@pytest.mark.parametrize("layout", ["Board", "Route"])
def test_a_stop_taken_off_a_route_comes_back_to_its_place(office: Office, layout: str) -> None:
    page = accept(office, f"undo.{layout}@example.com".lower())
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3)]
    id_ = office.add_route("Harbour", *names, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    if layout == "Board":
        page.keyboard.press("2")
        stops = page.get_by_role("group", name="Board").get_by_role("listitem")
    else:
        page.get_by_role("link", name="Harbour").first.click()
        stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops).to_have_count(3)
    stops.nth(1).get_by_role("button", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile("^Not on a route")).click()
    expect(stops).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(stops).to_have_count(3)
    expect(stops.nth(1)).to_contain_text("#2")
    page.keyboard.press("Control+Shift+z")
    expect(stops).to_have_count(2)
    assert len(office.stop_ids(id_)) == 2


@pytest.mark.parametrize("by", ["one", "chosen"])
def test_moves_before_a_stop_left_its_route_are_taken_back_too(office: Office, by: str) -> None:
    page = accept(office, f"undo.chain.{by}@example.com")
    when = f"{DAY}T08:00:00Z"
    harbour = office.add_route(
        "Harbour", {"orderName": "#1"}, {"orderName": "#2"}, scheduledFor=when
    )
    hills = office.add_route("Hills", {"orderName": "#3"}, scheduledFor=when)
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.keyboard.press("2")
    lanes = page.get_by_role("group", name="Board")
    moved = lanes.get_by_role("listitem").filter(has_text="#1")

    def move(target: str) -> None:
        if by == "chosen":
            moved.get_by_role("checkbox").check()
            page.get_by_role("button", name="Move selected…").click()
        else:
            moved.get_by_role("button", name="Move to…").click()
        dialog = page.get_by_role("dialog", name="Move stop")
        dialog.get_by_role("button", name=re.compile(f"^{target}")).click()

    def expect_stops(*counts: int) -> None:
        for name, count in zip(("Harbour", "Hills"), counts, strict=True):
            lane = lanes.get_by_role("region", name=name)
            expect(lane.get_by_role("listitem")).to_have_count(count)

    expect_stops(2, 1)
    move("Hills")
    expect_stops(1, 2)
    move("Not on a route")
    expect_stops(1, 1)
    for key, counts in (
        ("Control+z", (1, 2)),
        ("Control+z", (2, 1)),
        ("Control+Shift+z", (1, 2)),
        ("Control+Shift+z", (1, 1)),
        ("Control+z", (1, 2)),
        ("Control+z", (2, 1)),
    ):
        page.keyboard.press(key)
        expect_stops(*counts)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert [len(office.stop_ids(id_)) for id_ in (harbour, hills)] == [2, 1]


def open_board(office: Office, email: str) -> Page:
    """Open the board of a day with stops 1 and 2 on Harbour, 3 on Hills and none on Canton."""
    page = accept(office, email)
    when = f"{DAY}T08:00:00Z"
    office.add_route("Harbour", {"orderName": "#1"}, {"orderName": "#2"}, scheduledFor=when)
    office.add_route("Hills", {"orderName": "#3"}, scheduledFor=when)
    office.add_route("Canton", scheduledFor=when)
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.keyboard.press("2")
    return page


@pytest.mark.parametrize(
    ("first", "chosen"), [("Hills", "before"), ("Hills", "after"), ("Not on a route", "before")]
)
def test_a_stop_that_is_moved_again_at_once_goes_on_from_where_it_is(
    office: Office, first: str, chosen: str
) -> None:
    page = open_board(office, f"again.{first.split()[0]}.{chosen}@example.com".lower())
    lanes = page.get_by_role("group", name="Board")
    move = (
        lanes.get_by_role("listitem").filter(has_text="#1").get_by_role("button", name="Move to…")
    )

    def choose(target: str) -> None:
        dialog = page.get_by_role("dialog", name="Move stop")
        dialog.get_by_role("button", name=re.compile(f"^{target}")).click()

    def in_lane(name: str) -> Locator:
        return lanes.get_by_role("region", name=name).get_by_role("listitem")

    held: list[Route] = []

    def hold(asked: Route) -> None:
        held.append(asked)

    page.route("**/routes/transfers", hold, times=1)
    move.click()
    with page.expect_request("**/routes/transfers"):
        choose(first)
    move.click()
    if chosen == "before":
        choose("Canton")
    held[0].continue_()
    if chosen == "after":
        expect(in_lane("Harbour")).to_have_count(1)
        choose("Canton")
    expect(in_lane("Canton")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(in_lane("Hills")).to_have_count(2 if first == "Hills" else 1)
    page.keyboard.press("Control+z")
    expect(in_lane("Harbour")).to_have_count(2)
    expect(in_lane("Harbour").first).to_contain_text("#1")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_stop_that_is_moved_again_behind_what_cannot_be_taken_back_goes_on_too(
    office: Office,
) -> None:
    page = open_board(office, "again.ready@example.com")
    lanes = page.get_by_role("group", name="Board")
    move = (
        lanes.get_by_role("listitem").filter(has_text="#1").get_by_role("button", name="Move to…")
    )
    held: list[Route] = []

    def hold(asked: Route) -> None:
        held.append(asked)

    def choose_route(target: str) -> None:
        dialog = page.get_by_role("dialog", name="Move stop")
        dialog.get_by_role("button", name=re.compile(f"^{target}")).click()
        expect(dialog).to_be_hidden()

    page.route("**/ready", hold, times=1)
    page.route("**/routes/transfers", hold, times=1)
    harbour = page.get_by_role("region", name="Routes").get_by_role("listitem").first
    with page.expect_request("**/ready"):
        harbour.get_by_role("button", name="Mark ready").click()
    move.click()
    choose_route("Hills")
    with page.expect_request("**/routes/transfers"):
        held[0].continue_()
    move.click()
    choose_route("Canton")
    held[1].continue_()
    canton = lanes.get_by_role("region", name="Canton").get_by_role("listitem")
    expect(canton).to_have_count(1, timeout=15_000)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_order_of_a_shop_is_moved_as_any_stop_is(office: Office) -> None:
    page = accept(office, "undo.order@example.com")
    route = office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    order = {
        "name": "#9001",
        "coordinates": {"latitude": 39.29, "longitude": -76.6},
        "deliveryDate": {"year": 2030, "month": 5, "day": 6},
        "orderNote": "Ring twice",
    }
    assert office.http.put("/store-orders/a%2F9001", json=order).status_code == 200
    office.open(f"day/{DAY}")
    loose = page.get_by_role("region", name="Not on a route")
    loose.get_by_role("link", name="#9001").click()
    shown = page.get_by_role("region", name="Stop #9001")
    expect(shown).to_contain_text("Ring twice")
    shown.get_by_role("button", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile("^Harbour")).click()
    expect(dialog).to_be_hidden()
    office.open(f"day/{DAY}")
    expect(page.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
    assert len(office.stop_ids(route)) == 2
    page.keyboard.press("Control+z")
    expect(loose.get_by_role("link", name="#9001")).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(loose.get_by_role("listitem")).to_have_count(0)
    page.keyboard.press("Control+z")
    loose.get_by_role("checkbox", name="Select #9001").check()
    page.get_by_role("button", name="Move selected…").click()
    dialog.get_by_role("button", name=re.compile("^Harbour")).click()
    expect(loose.get_by_role("listitem")).to_have_count(0)
    assert len(office.stop_ids(route)) == 2


def test_a_dispatched_route_is_put_into_another_order_and_back(office: Office) -> None:
    page = accept(office, "undo.order.of.route@example.com")
    far_first = [
        {"orderName": name, "coordinates": {"latitude": 39.29 + north, "longitude": -76.61}}
        for name, north in (("Far", 0.08), ("Near", 0.02), ("Middle", 0.05))
    ]
    id_ = office.add_route("Harbour", *far_first, scheduledFor=f"{DAY}T08:00:00Z")
    before = office.stop_ids(id_)
    office.post(f"/routes/{id_}/dispatch", {})
    office.open(f"route/{id_}")
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops).to_have_count(3)
    said = page.get_by_role("log")
    for words in ("Harbour: another order", "no better order was found"):
        page.get_by_role("button", name="Reoptimize").click()
        expect(said).to_contain_text(words)
    expect(stops.first).to_contain_text("Near")
    page.keyboard.press("Control+z")
    expect(stops.first).to_contain_text("Far")
    assert office.stop_ids(id_) == before


def choose(page: Page, button: str, dialog: str, choice: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()
    opened = page.get_by_role("dialog", name=dialog)
    opened.get_by_role("button", name=choice, exact=True).click()
    expect(opened).to_be_hidden()


def open_route_with_new_stop(office: Office, email: str) -> Page:
    """Open a day of one route on which the planner has just made a stop, Late Order."""
    page = accept(office, email)
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"day/{DAY}")
    page.get_by_role("button", name="New stop").click()
    dialog = page.get_by_role("dialog", name="New stop")
    dialog.get_by_label("First name").fill("Late Order")
    dialog.get_by_label("Address or coordinates").fill("39.29, -76.62")
    dialog.get_by_role("button", name="Add stop").click()
    expect(page.get_by_role("link", name="Late Order")).to_be_visible()
    return page


def test_who_drives_a_route_and_with_what_is_taken_back_before_what_was_older(
    office: Office,
) -> None:
    page = open_route_with_new_stop(office, "undo.crew@example.com")
    office.post("/drivers", {"firstName": "Ben", "lastName": "Ames"})
    office.post("/vehicles", {"name": "Blue van"})
    route = page.get_by_role("region", name="Routes").get_by_role("listitem")
    choose(page, "Assign driver", "Assign driver", "Ben Ames")
    expect(route).to_contain_text("Ben Ames")
    choose(page, "Assign vehicle", "Assign vehicle", "Blue van")
    expect(route).to_contain_text("Blue van")
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    expect(route).not_to_contain_text("Blue van")
    undo.click()
    expect(route).to_contain_text("nobody drives")
    expect(page.get_by_role("link", name="Late Order")).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    expect(route).to_contain_text("Ben Ames")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_driver_whom_somebody_else_has_given_a_route_since_stays(office: Office) -> None:
    page = open_route_with_new_stop(office, "undo.other.crew@example.com")
    office.post("/drivers", {"firstName": "Ben", "lastName": "Ames"})
    other = office.post("/drivers", {"firstName": "Ama"})["driver"]["id"]
    route = page.get_by_role("region", name="Routes").get_by_role("listitem")
    choose(page, "Assign driver", "Assign driver", "Ben Ames")
    expect(route).to_contain_text("Ben Ames")
    id_ = office.http.get("/routes").json()["routes"][0]["id"]
    office.http.put(f"/routes/{id_}/driver", json={"driverId": other})
    expect(route).to_contain_text("Ama")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_contain_text("changed meanwhile")
    expect(route).to_contain_text("Ama")


@pytest.mark.parametrize("pressed", ["Mark ready", "Dispatch"])
def test_what_cannot_be_taken_back_ends_what_can(office: Office, pressed: str) -> None:
    page = open_route_with_new_stop(office, f"undo.{pressed.split()[-1]}@example.com".lower())
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    page.get_by_role("button", name=pressed, exact=True).click()
    expect(undo).to_be_disabled()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("link", name="Late Order")).to_be_visible()


def test_a_route_that_was_put_away_or_made_is_taken_back(office: Office) -> None:
    page = open_route_with_new_stop(office, "undo.archive@example.com")
    page.get_by_role("button", name="New route").click()
    dialog = page.get_by_role("dialog", name="New route")
    dialog.get_by_role("textbox", name="Name").fill("Hills")
    dialog.get_by_role("button", name="Create route").click()
    routes = page.get_by_role("region", name="Routes")
    expect(routes.get_by_role("link", name="Hills")).to_be_visible()
    harbour = routes.get_by_role("link", name="Harbour")
    harbour.click()
    page.get_by_role("button", name="Archive").click()
    page.get_by_role("dialog").get_by_role("button", name="Archive").click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    expect(harbour).to_have_count(0)
    undo.click()
    expect(harbour).to_be_visible()
    undo.click()
    expect(routes.get_by_role("link", name="Hills")).to_have_count(0)
    expect(page.get_by_role("link", name="Late Order")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_undo_that_changes_another_day_says_which(office: Office) -> None:
    page = open_route_with_new_stop(office, "undo.elsewhere@example.com")
    page.get_by_role("button", name="Next day").click()
    page.get_by_role("button", name="Undo").click()
    said = page.get_by_role("log")
    expect(said).to_have_text("Undone: Late Order, Monday, May 6, 2030")
    page.get_by_role("button", name="Redo").click()
    expect(said).to_have_text("Redone: Late Order, Monday, May 6, 2030")


def open_new_route(office: Office, planner: str) -> tuple[Page, Locator]:
    """Make a route in the console, and return its page and the route in its list."""
    page = accept(office, planner)
    office.open(f"day/{DAY}")
    page.get_by_role("button", name="New route").click()
    dialog = page.get_by_role("dialog", name="New route")
    dialog.get_by_role("textbox", name="Name").fill("Hills")
    dialog.get_by_role("textbox", name="Start").fill("39.31, -76.6")
    dialog.get_by_role("button", name="Create route").click()
    routes = page.get_by_role("region", name="Routes").get_by_role("listitem")
    expect(routes).to_have_count(1)
    return page, routes


def test_what_was_done_with_a_route_that_is_made_again_is_done_again_too(office: Office) -> None:
    office.post("/drivers", {"firstName": "Ben", "lastName": "Ames"})
    place = {"latitude": 39.31, "longitude": -76.6}
    on_day = {"deliveryDate": {"year": 2030, "month": 5, "day": 6}}
    office.post("/stops/imports", [{"orderName": "#1", "coordinates": place, **on_day}])
    page, routes = open_new_route(office, "undo.again@example.com")
    choose(page, "Assign driver", "Assign driver", "Ben Ames")
    expect(routes).to_contain_text("Ben Ames")
    page.get_by_role("button", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile("^Hills")).click()
    expect(routes).to_contain_text("0/1")
    undo = page.get_by_role("button", name="Undo")
    for _ in range(3):
        undo.click()
    expect(routes).to_have_count(0)
    redo = page.get_by_role("button", name="Redo")
    for _ in range(3):
        redo.click()
    expect(routes).to_contain_text("0/1")
    expect(routes).to_contain_text("Ben Ames")
    for _ in range(3):
        undo.click()
    expect(routes).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_new_route_is_taken_back_and_made_again_once_whose_answers_were_lost(
    office: Office,
) -> None:
    page, routes = open_new_route(office, "undo.lost@example.com")
    lost: list[str] = []

    def lose_first(route: Route) -> None:
        method = route.request.method
        if method not in ("POST", "DELETE") or method in lost:
            route.fallback()
            return
        lost.append(method)
        route.fetch()
        route.fulfill(status=500, json={"code": 13, "message": "internal error"})

    page.route(re.compile(r"/routes(/[\w-]+)?$"), lose_first)
    said = page.get_by_role("alert")
    undo = page.get_by_role("button", name="Undo")
    redo = page.get_by_role("button", name="Redo")
    undo.click()
    expect(said).to_contain_text("internal error")
    expect(routes).to_have_count(0)
    undo.click()
    expect(redo).to_be_enabled()
    expect(said).to_have_count(0)
    redo.click()
    expect(said).to_contain_text("internal error")
    expect(routes).to_have_count(1)
    redo.click()
    expect(redo).to_be_disabled()
    expect(said).to_have_count(0)
    expect(routes).to_have_count(1)
    assert lost == ["DELETE", "POST"]
