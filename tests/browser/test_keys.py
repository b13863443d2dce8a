"""Everything of a planner's day by the keyboard, as doors 4.1 lists the keys."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


def open_route(office: Office, email: str, role: Role = Role.OWNER) -> Page:
    """Return the page of a route with three stops, #1 to #3."""
    page = accept(office, email, role)
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3)]
    id_ = office.add_route("Harbour", *names, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"route/{id_}")
    expect(page.get_by_role("list", name="Stops").get_by_role("listitem")).to_have_count(3)
    return page


def test_a_stop_is_found_and_moved_without_a_mouse(office: Office) -> None:
    page = open_route(office, "keys@example.com")
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="#1", exact=True)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Alt+ArrowDown")
    expect(stops.nth(1).get_by_role("link", name="#1", exact=True)).to_be_focused()
    expect(stops.first).to_contain_text("#2")
    page.keyboard.press("Control+z")
    expect(stops.first).to_contain_text("#1")
    page.keyboard.press("Control+Shift+z")
    expect(stops.first).to_contain_text("#2")
    page.keyboard.press("m")
    expect(page.get_by_role("dialog", name="Move stop")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_days_and_layouts_have_keys_and_all_are_listed(office: Office) -> None:
    page = accept(office, "days@example.com")
    office.open(f"day/{DAY}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("May 6, 2030")
    page.keyboard.press("]")
    expect(heading).to_contain_text("May 7, 2030")
    page.keyboard.press("[")
    expect(heading).to_contain_text("May 6, 2030")
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="Board")).to_be_checked()
    page.keyboard.press("3")
    expect(page.get_by_role("radio", name="List")).to_be_checked()
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys")
    for words in ("Move by one place", "Draw around stops on the map", "Select stop"):
        expect(listed).to_contain_text(words)


def test_stops_are_selected_by_key_or_box_and_moved_together(office: Office) -> None:
    page = accept(office, "selects@example.com")
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3, 4)]
    when = {"scheduledFor": f"{DAY}T08:00:00Z"}
    office.add_route("Harbour", *names, **when)
    hills = office.add_route("Hills", {"orderName": "#5"}, **when)
    office.open(f"day/{DAY}")
    page.get_by_role("link", name="Harbour").first.click()
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops).to_have_count(4)
    for key in ("j", "x", "j", "j", "Shift+x"):
        page.keyboard.press(key)
    expect(page.get_by_role("checkbox", name="Select #2", exact=True)).to_be_checked()
    expect(page.get_by_text("3 stops selected")).to_be_visible()
    page.get_by_role("checkbox", name="Select #2", exact=True).uncheck()
    expect(page.get_by_text("2 stops selected")).to_be_visible()
    page.keyboard.press("m")
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name="Hills").click()
    expect(stops).to_have_count(2)
    expect(page.get_by_text("stops selected")).to_have_count(0)
    assert order_of(office, hills) == {"#5", "#1", "#3"}
    page.keyboard.press("Control+z")
    expect(stops).to_have_count(4)
    for number, name in enumerate(("#1", "#2", "#3", "#4")):
        expect(stops.nth(number)).to_contain_text(name)
    page.get_by_role("checkbox", name="Select #4", exact=True).check()
    page.keyboard.press("Escape")
    expect(page.get_by_text("1 stop selected")).to_have_count(0)


def test_stops_that_move_together_show_their_price_and_take_their_best_places(
    office: Office,
) -> None:
    page = accept(office, "prices@example.com")
    day = {"year": 2030, "month": 5, "day": 6}
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3)]
    when = {"scheduledFor": f"{DAY}T08:00:00Z"}
    harbour = office.add_route("Harbour", *names, **when)
    between = {"latitude": 39.305, "longitude": -76.6}
    hills = office.add_route("Hills", {"orderName": "#4", "coordinates": between}, **when)
    loose = {"orderName": "#5", "deliveryDate": day}
    place = {"latitude": 39.315, "longitude": -76.6}
    office.post("/stops/imports", [{**loose, "coordinates": place}])
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    for name in ("#4", "#5"):
        page.get_by_role("checkbox", name=f"Select {name}", exact=True).check()
    page.get_by_role("button", name="Move selected…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    expect(dialog.get_by_role("button", name="Harbour")).to_contain_text("≈")
    expect(dialog.get_by_role("button", name="Hills")).to_contain_text("min")
    dialog.get_by_role("button", name="Harbour").click()
    expect(page.get_by_text("stops selected")).to_have_count(0)
    assert names_of(office, harbour) == ["#1", "#4", "#2", "#5", "#3"]
    page.keyboard.press("Control+z")
    expect(page.get_by_role("heading", name="Not on a route · 1")).to_be_visible()
    assert names_of(office, harbour) == ["#1", "#2", "#3"]
    assert names_of(office, hills) == ["#4"]
    page.keyboard.press("Control+Shift+z")
    expect(page.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
    assert names_of(office, harbour) == ["#1", "#4", "#2", "#5", "#3"]


def names_of(office: Office, route_id: str) -> list[str]:
    return [one["orderName"] for one in office.http.get(f"/routes/{route_id}").json()["stops"]]


def order_of(office: Office, route_id: str) -> set[str]:
    return set(names_of(office, route_id))


def test_a_stop_moves_by_as_many_places_as_its_key_is_pressed(office: Office) -> None:
    page = accept(office, "thrice@example.com")
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3, 4)]
    harbour = office.add_route("Harbour", *names, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    page.get_by_role("group", name="Board").get_by_role("link", name="#1").focus()
    for _ in range(3):
        page.keyboard.press("Alt+ArrowDown")
    stops = page.get_by_role("group", name="Board").get_by_role("listitem")
    expect(stops.last).to_contain_text("#1")
    assert names_of(office, harbour) == ["#2", "#3", "#4", "#1"]


def draw_around_the_right(page: Page) -> None:
    """Draw around all of the map but its left third."""
    box = page.get_by_role("region", name="Map").bounding_box()
    assert box is not None
    left, right = box["x"] + box["width"] * 0.35, box["x"] + box["width"] - 8
    top, bottom = box["y"] + 8, box["y"] + box["height"] - 8
    page.mouse.move(left, top)
    page.mouse.down()
    for corner in ((right, top), (right, bottom), (left, bottom)):
        page.mouse.move(*corner, steps=5)
    page.mouse.up()


def test_a_lasso_selects_what_lies_in_it(office: Office) -> None:
    page = accept(office, "lasso@example.com")
    day = {"year": 2030, "month": 5, "day": 6}
    first = {"orderName": "#1", "deliveryDate": day}
    route = office.add_route("Harbour", first, scheduledFor=f"{DAY}T08:00:00Z")
    place = {"latitude": 39.36, "longitude": -76.5}
    loose = {"orderName": "#2", "coordinates": place, "deliveryDate": day}
    far = {**loose, "orderName": "#3", "coordinates": {**place, "longitude": -76.7}}
    office.post("/stops/imports", [loose, far])
    office.open(f"day/{DAY}")
    expect(page.get_by_role("checkbox", name="Select #3")).to_be_visible()
    expect(page.get_by_role("button", name="Lasso")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Lasso")).to_have_attribute("aria-pressed", "true")
    draw_around_the_right(page)
    expect(page.get_by_text("2 stops selected")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Select #2")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Select #3")).not_to_be_checked()
    expect(page.get_by_role("button", name="Lasso")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Move selected…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name="Not on a route").click()
    expect(page.get_by_role("checkbox", name="Select #1")).to_be_visible()
    assert order_of(office, route) == set()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("checkbox", name="Select #1")).to_have_count(0)
    assert order_of(office, route) == {"#1"}


def test_the_route_that_has_a_stop_or_all_chosen_is_marked_in_the_list(office: Office) -> None:
    page = accept(office, "present@example.com")
    when = {"scheduledFor": f"{DAY}T08:00:00Z"}
    office.add_route("Harbour", {"orderName": "#1"}, {"orderName": "#2"}, **when)
    office.add_route("Hills", {"orderName": "#3"}, **when)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    stop = page.get_by_role("group", name="Board").get_by_role("listitem").filter(has_text="#3")
    stop.get_by_role("button", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    expect(dialog.get_by_role("button", name="Hills")).to_be_disabled()
    expect(dialog.get_by_role("button", name="Harbour")).to_be_enabled()
    page.keyboard.press("Escape")
    for name in ("#1", "#2"):
        page.get_by_role("checkbox", name=f"Select {name}", exact=True).check()
    page.keyboard.press("m")
    dialog = page.get_by_role("dialog", name="Move stops")
    present = dialog.get_by_role("button", name="Harbour")
    expect(present).to_contain_text("already there")
    expect(present).to_be_disabled()
    expect(dialog.get_by_role("button", name="Hills")).to_be_enabled()


def test_keys_change_nothing_for_whoever_may_only_look(office: Office) -> None:
    page = open_route(office, "looks.on@example.com", Role.VIEWER)
    page.keyboard.press("j")
    for key in ("Alt+ArrowDown", "m", "p", "i", "n", "d", "r", "x", "l"):
        page.keyboard.press(key)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_count(1)
    expect(dialog).to_contain_text("Search")
    expect(dialog).not_to_contain_text("Reoptimize")
    stops = page.get_by_role("list", name="Stops").locator("> li")
    expect(stops.first).to_contain_text("#1")


def test_every_list_holds_its_items_directly(office: Office) -> None:
    page = open_route(office, "lists@example.com")
    strays = "document.querySelectorAll('ul > :not(li), ol > :not(li)').length"
    assert page.evaluate(strays) == 0
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_role("group", name="Board")).to_be_visible()
    assert page.evaluate(strays) == 0


def test_escape_leaves_the_search_to_what_was_found(office: Office) -> None:
    page = accept(office, "escapes@example.com")
    names = [{"orderName": name} for name in ("Adams", "Jones", "Xavier")]
    office.add_route("Harbour", *names, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    lane = page.get_by_role("group", name="Board")
    page.keyboard.press("/")
    page.keyboard.type("Jones")
    expect(lane.get_by_role("listitem")).to_have_count(1)
    for key in ("Escape", "j", "x"):
        page.keyboard.press(key)
    box = page.get_by_role("searchbox", name="Search")
    expect(box).to_have_value("Jones")
    expect(lane.get_by_role("link", name="Jones")).to_be_focused()
    expect(lane.get_by_role("checkbox", name="Select Jones")).to_be_checked()
    page.get_by_role("button", name="Ann Ames").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(lane.get_by_role("checkbox", name="Select Jones")).to_be_checked()
    page.keyboard.press("Escape")
    expect(lane.get_by_role("checkbox", name="Select Jones")).not_to_be_checked()
    expect(box).to_have_value("Jones")
    page.keyboard.press("Escape")
    expect(box).to_have_value("")
    expect(lane.get_by_role("listitem")).to_have_count(3)
