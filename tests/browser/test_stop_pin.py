"""A stop's pin: dragged, pressed where it belongs, and moved by keys; saved, and taken back."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.office import Office
from tests.browser.test_members import accept
from tests.browser.test_streets import town, town_office
from tests.support.waiting import wait_until

from roundsman.domain.principal import Role

__all__ = ["town", "town_office"]

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
PLACE = {"latitude": 39.3, "longitude": -76.6}
ADDRESS = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US", "zip": "21224"}


def open_stop(office: Office, email: str, stop: object, role: Role = Role.OWNER) -> Locator:
    """Return the region of the one stop of a route."""
    page = accept(office, email, role)
    imported = office.post("/stops/imports", [stop])["stops"]
    route = office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    office.post(f"/routes/{route}/stops", [{"importedStopId": imported[0]["id"]}])
    (stop_id,) = office.stop_ids(route)
    office.open(f"route/{route}/stop/{stop_id}")
    shown = page.get_by_role("region", name="Stop")
    expect(shown.get_by_role("button", name="Pin of #7")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Live")  # and no other status
    return shown


def stop_of(office: Office) -> dict[str, object]:
    (route,) = office.http.get("/routes").json()["routes"]
    (stop,) = route["stops"]
    return dict(stop)


def place_of(office: Office) -> dict[str, float]:
    place = stop_of(office)["plannedCoordinates"]
    assert isinstance(place, dict)
    return place


def places(office: Office) -> list[object]:
    """Return where the stops of all routes are: there is none while the one is on no route."""
    routes = office.http.get("/routes").json()["routes"]
    return [stop["plannedCoordinates"] for route in routes for stop in route["stops"]]


def save(page: Page, shown: Locator) -> None:
    with page.expect_response(lambda answer: answer.url.endswith("/location")):
        shown.get_by_role("button", name="Save location").click()
    expect(shown.get_by_role("button", name="Save location")).to_be_hidden()


def test_a_pin_is_moved_by_the_arrow_keys_and_put_back_by_undo(office: Office) -> None:
    shown = open_stop(office, "pin.keys@example.com", {"orderName": "#7", "address": ADDRESS})
    page = office.page
    before = stop_of(office)
    expect(shown).to_contain_text("town only")
    pin = shown.get_by_role("button", name="Pin of #7")
    pin.focus()
    for key in ("ArrowUp", "ArrowUp", "Shift+ArrowRight"):
        page.keyboard.press(key)
    moved = shown.get_by_text("m from where it was")
    expect(moved).to_have_text("51 m from where it was")
    page.keyboard.press("Escape")
    expect(moved).to_have_count(0)
    for key in ("ArrowUp", "Shift+ArrowUp"):
        page.keyboard.press(key)
    assert stop_of(office) == before
    save(page, shown)
    expect(pin).to_be_focused()
    expect(shown).to_contain_text("given coordinates · 55 m from")
    place = before["plannedCoordinates"]
    assert isinstance(place, dict)
    assert place_of(office) == {
        "latitude": pytest.approx(place["latitude"] + 55 / 111_320, abs=2e-6),
        "longitude": pytest.approx(place["longitude"], abs=2e-6),
    }
    with page.expect_response(lambda answer: answer.url.endswith("/location")):
        page.keyboard.press("Control+z")
    expect(shown).to_contain_text("town only")
    after = stop_of(office)
    assert after["geocoding"] == before["geocoding"]
    assert after["plannedCoordinates"] == before["plannedCoordinates"]
    page.keyboard.press("Control+Shift+z")
    expect(shown).to_contain_text("55 m from")


def test_a_pin_is_dragged(office: Office) -> None:
    shown = open_stop(office, "pin.drags@example.com", {"orderName": "#7", "coordinates": PLACE})
    page = office.page
    pin = shown.get_by_role("button", name="Pin of #7")
    box = pin.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    page.mouse.move(box["x"] + 16, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 40, steps=4)
    page.mouse.up()
    expect(shown.get_by_text("m from where it was")).to_be_visible()
    save(page, shown)
    dragged = place_of(office)
    assert dragged["longitude"] > PLACE["longitude"] + 0.0001


def test_a_pin_is_put_where_the_ground_is_pressed(office: Office) -> None:
    shown = open_stop(office, "pin.presses@example.com", {"orderName": "#7", "coordinates": PLACE})
    page = office.page
    expect(page.get_by_role("button", name="Pin of #7")).to_be_visible()
    shown.get_by_role("img", name="Map").click(position={"x": 40, "y": 40})
    expect(shown.get_by_text("m from where it was")).to_be_visible()
    save(page, shown)
    pressed = place_of(office)
    assert pressed["longitude"] < PLACE["longitude"] - 0.0001
    assert pressed["latitude"] > PLACE["latitude"]


def test_a_stop_on_no_route_has_a_pin_too(office: Office) -> None:
    page = accept(office, "pin.loose@example.com")
    (stop,) = office.post("/stops/imports", [{"orderName": "#7", "coordinates": PLACE}])["stops"]
    office.open(f"unrouted/{stop['id']}")
    shown = page.get_by_role("region", name="Stop")
    shown.get_by_role("button", name="Pin of #7").press("Shift+ArrowDown")
    save(page, shown)
    kept = office.http.get(f"/stops/imports/{stop['id']}").json()["coordinates"]
    assert kept["latitude"] == pytest.approx(39.3 - 50 / 111_320, abs=2e-6)
    with page.expect_response(lambda answer: answer.url.endswith("/location")):
        page.keyboard.press("Control+z")
    expect(shown.get_by_text("m from where it was")).to_have_count(0)
    assert office.http.get(f"/stops/imports/{stop['id']}").json()["coordinates"] == PLACE


def test_whoever_may_only_look_sees_where_a_stop_is_and_moves_nothing(office: Office) -> None:
    page = accept(office, "pin.looks@example.com", Role.VIEWER)
    (stop,) = office.post("/stops/imports", [{"orderName": "#7", "coordinates": PLACE}])["stops"]
    office.open(f"unrouted/{stop['id']}")
    shown = page.get_by_role("region", name="Stop")
    expect(shown.get_by_role("img", name="Map")).to_be_visible()
    expect(shown.locator(".pin-mark")).to_be_visible()
    expect(shown.get_by_role("button", name="Pin of #7")).to_have_count(0)
    shown.get_by_role("img", name="Map").click(position={"x": 40, "y": 40})
    expect(shown.get_by_role("button", name="Save location")).to_have_count(0)


def test_a_pin_stands_on_the_streets_of_this_server(town_office: Office) -> None:
    place = {"latitude": 50.0797, "longitude": 10.0202}
    shown = open_stop(
        town_office, "pin.town@example.com", {"orderName": "#7", "coordinates": place}
    )
    picture = shown.get_by_role("img", name="Map")
    expect(picture).to_have_attribute("data-state", "idle")
    expect(shown.get_by_text("© those")).to_be_visible()
    picture.click(position={"x": 60, "y": 120})
    save(town_office.page, shown)
    assert place_of(town_office)["longitude"] < place["longitude"] - 0.0001


ORDER = {"name": "#1001", "address": {"address1": "1 Main St", **ADDRESS}}
WHERE = ("address", "plannedCoordinates", "geocoding", "storeOrder")


def open_order(office: Office, email: str) -> Locator:
    """Return the region of the one stop of a route, which is made of a shop's order."""
    page = accept(office, email)
    assert office.http.put("/store-orders/1001", json=ORDER).status_code == 200
    route = office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    office.post(f"/routes/{route}/store-orders", [{"storeOrderId": "1001"}])
    (stop,) = office.stop_ids(route)
    office.open(f"route/{route}/stop/{stop}")
    return page.get_by_role("region", name="Stop")


def test_where_a_shops_order_goes_is_corrected_and_put_back_by_undo(office: Office) -> None:
    shown = open_order(office, "pin.order@example.com")
    page, before = office.page, stop_of(office)
    shown.get_by_role("button", name="Fix location").click()
    page.get_by_label("Address or coordinates").fill("12 Nowhere, Nowhere, MD 99999")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    page.get_by_label("Address or coordinates").fill("7 Elm St, Towson, MD 21204")
    page.get_by_role("button", name="Save").click()
    expect(shown).to_contain_text("7 Elm St")
    expect(shown).to_contain_text("Address in the shop: 1 Main St")
    page.keyboard.press("Control+z")
    expect(shown).not_to_contain_text("7 Elm St")
    assert {name: stop_of(office)[name] for name in WHERE} == {name: before[name] for name in WHERE}


def test_a_shops_new_address_is_taken_over_and_offered_again_after_undo(office: Office) -> None:
    shown = open_order(office, "pin.moved@example.com")
    moved = {"address1": "9 Oak St", "city": "Towson", "provinceCode": "MD"}
    assert office.http.put("/store-orders/1001", json={**ORDER, "address": moved}).is_success
    (route,) = office.http.get("/routes").json()["routes"]
    office.post(f"/routes/{route['id']}/resync-orders", {})
    before = stop_of(office)
    take_over = shown.get_by_role("button", name="Take over the new address")
    take_over.click()
    expect(take_over).to_be_hidden()
    expect(shown).to_contain_text("9 Oak St")
    assert stop_of(office)["storeOrder"] == {"orderNote": "", "customerNote": ""}
    office.page.keyboard.press("Control+z")
    expect(take_over).to_be_visible()
    assert {name: stop_of(office)[name] for name in WHERE} == {name: before[name] for name in WHERE}


def test_a_shops_new_time_is_taken_over_and_offered_again_after_undo(office: Office) -> None:
    shown = open_order(office, "pin.later@example.com")
    windows = [{"start": {"hours": 9}, "end": {"hours": 10}}]
    later = {"deliveryDate": {"year": 2030, "month": 12, "day": 3}, "timeWindows": windows}
    assert office.http.put("/store-orders/1001", json={**ORDER, **later}).is_success
    (route,) = office.http.get("/routes").json()["routes"]
    office.post(f"/routes/{route['id']}/resync-orders", {})
    take_over = shown.get_by_role("button", name="Take over the new time")
    take_over.click()
    expect(take_over).to_be_hidden()
    assert stop_of(office)["deliveryDate"] == later["deliveryDate"]
    assert stop_of(office)["storeOrder"] == {"orderNote": "", "customerNote": ""}
    office.page.keyboard.press("Control+z")
    expect(take_over).to_be_visible()
    assert "deliveryDate" not in stop_of(office)
    expect(shown.get_by_role("button", name="Edit")).to_have_count(0)  # what it says is its shop's
    take_over.click()
    expect(take_over).to_be_hidden()
    # What somebody else has said of it since is not put back over their head.
    noon = {"timeWindows": [{"start": {"hours": 11}, "end": {"hours": 12}}]}
    path = f"/routes/{route['id']}/stops/{stop_of(office)['id']}"
    office.post(f"{path}/resync-windows", noon)
    office.page.keyboard.press("Control+z")
    expect(office.page.get_by_role("alert")).to_contain_text("changed meanwhile")
    (window,) = office.http.get(path).json()["timeWindows"]
    assert window["start"]["hours"] == 11
    office.open("orders")
    row = office.page.get_by_role("row", name="1001")
    expect(row).to_contain_text("Planned · its order is for another time by now")


def move_pin(office: Office, shown: Locator) -> None:
    shown.get_by_role("button", name="Pin of #7").press("Shift+ArrowDown")
    save(office.page, shown)


def test_a_pin_goes_back_though_its_stop_has_left_the_route_and_come_back(office: Office) -> None:
    shown = open_stop(office, "pin.left@example.com", {"orderName": "#7", "coordinates": PLACE})
    page = office.page
    move_pin(office, shown)
    shown.get_by_role("button", name="Move to…").click()
    page.get_by_role("dialog").get_by_role("button", name="Not on a route").click()
    office.open(f"day/{DAY}")
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    undo = page.get_by_role("button", name="Undo")
    for _ in range(2):
        undo.click()
    wait_until(lambda: places(office) == [PLACE])
    expect(undo).to_be_disabled()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("of", ["stop", "order"])
def test_a_pin_whose_answer_is_lost_is_moved_and_can_be_put_back(office: Office, of: str) -> None:
    email = f"pin.lost.{of}@example.com"
    if of == "stop":
        shown = open_stop(office, email, {"orderName": "#7", "coordinates": PLACE})
    else:
        shown = open_order(office, email)
    before = place_of(office)
    lost: list[Route] = []

    def lose(request: Route) -> None:
        if not lost:
            lost.append(request)
            request.fetch()
            request.abort()
        else:
            request.continue_()

    office.page.route("**/location", lose)
    shown.get_by_role("button", name="Pin of #").press("Shift+ArrowDown")
    save(office.page, shown)
    assert lost
    assert place_of(office)["latitude"] == pytest.approx(
        before["latitude"] - 50 / 111_320, abs=2e-6
    )
    with office.page.expect_response(lambda answer: answer.url.endswith("/location")):
        office.page.keyboard.press("Control+z")
    expect(shown.get_by_text("m from where it was")).to_have_count(0)
    assert place_of(office) == before
