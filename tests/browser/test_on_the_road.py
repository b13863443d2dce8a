"""The console while drivers are on the road: what is late, what is done, and what was proved."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.office import DROVE, Office
from tests.browser.test_console import region
from tests.images.test_decoder_process import with_exif
from tests.support.waiting import wait_until

pytestmark = pytest.mark.spec("doors 0a")

NINE = {"timeWindows": [{"end": {"hours": 9}}]}
"""Closed long ago when it is driven, and met when it is planned."""


def test_what_is_late_and_how_far_a_route_is_are_said(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Hours late", {"orderName": "#1", **NINE}, {"orderName": "#2"}, {})
    first, second, _ = office.stop_ids(phone.route_id)
    phone.tell("STOP_DELIVERED", stopId=first)
    office.open(f"day/{DROVE}")
    office.sign_in()
    item = region(page, "Routes").get_by_role("listitem")
    expect(item).to_contain_text("1/3")
    expect(item).to_contain_text("1 stop late")
    expect(item).to_contain_text("On the road")
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="OTHER")
    expect(item).to_contain_text("2/3")
    page.get_by_role("radio", name="List").check()
    row = page.get_by_role("row", name=re.compile("#1"))
    expect(row).to_contain_text(re.compile(r"Delivered · \d+ min late"))
    item.get_by_role("link", name="Hours late").click()
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops.nth(0)).to_contain_text("Delivered")
    expect(stops.nth(0)).to_contain_text(re.compile(r"\d+ min late"))
    expect(stops.nth(1)).to_contain_text("Could not deliver")
    expect(stops.nth(1)).not_to_contain_text("late")
    expect(stops.nth(2)).to_contain_text("Out for delivery")
    page.get_by_role("link", name="Exceptions").click()
    expect(page.get_by_role("link", name="#2")).to_be_visible()


def test_a_route_is_drawn_on_its_page_and_a_press_on_a_stop_opens_it(office: Office) -> None:
    page = office.page
    north, south = ({"latitude": place, "longitude": -76.61} for place in (39.33, 39.25))
    route = office.add_route(
        "Straight",
        {"orderName": "#1", "coordinates": north},
        {"coordinates": south},
        {"orderName": "Nowhere", "coordinates": {"latitude": 0, "longitude": 0}},
    )
    office.open(f"route/{route}")
    office.sign_in()
    drawn = page.get_by_role("group", name="The route on the map")
    pixels = "canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
    canvas = drawn.locator("xpath=../canvas")
    wait_until(lambda: bool(canvas.evaluate(f"canvas => {pixels}.some((one) => one > 0)")))

    def is_opened() -> bool:
        box = drawn.bounding_box()
        assert box is not None
        # The map shows the route with thirty pixels around it: the northernmost stop is at its top.
        drawn.click(position={"x": box["width"] / 2, "y": 30})
        return bool(re.search("/stop/", page.url))

    wait_until(is_opened)
    expect(region(page, "Stop #1")).to_be_visible()
    office.open(f"route/{route}")
    # Smaller by far, it shows the whole route again.
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(is_opened)
    expect(region(page, "Stop #1")).to_be_visible()
    expect(drawn).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # A stop at a side lies beside the buttons that lie there, not under them.
    east = {"latitude": 39.29, "longitude": -76.56}
    office.open(f"route/{office.add_route('Level', {'orderName': '#2', 'coordinates': east})}")
    expect(page.get_by_role("heading", level=1, name="Level")).to_be_visible()

    def is_opened_beside() -> bool:
        box = drawn.bounding_box()
        assert box is not None
        drawn.click(position={"x": box["width"] - 60, "y": box["height"] / 2})
        return bool(re.search("/stop/", page.url))

    wait_until(is_opened_beside)
    expect(region(page, "Stop #2")).to_be_visible()


def test_a_move_on_a_dispatched_route_asks_once(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Under way", {"orderName": "#1"}, {"orderName": "#2"})
    office.dispatch("Spare", {"orderName": "#3"})
    office.open(f"route/{phone.route_id}")
    office.sign_in()
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops).to_have_count(2)
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"left .*planned 14:00"))
    expect(page.get_by_text("leaves 14:00")).to_have_count(0)
    office.open(f"day/{DROVE}")
    expect(region(page, "Routes").get_by_role("listitem")).to_have_count(2)
    office.open(f"route/{phone.route_id}")
    stops.nth(1).get_by_role("button", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile("^Spare")).click()
    question = page.get_by_role("dialog", name="Move on a dispatched route")
    for name in ("Under way", "Spare"):
        expect(question).to_contain_text(f"The driver of {name} sees this at once.")
    question.get_by_role("button", name="Move", exact=True).click()
    expect(stops).to_have_count(1)


def test_a_done_stop_shows_what_its_driver_left_as_proof(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Proved", {"orderName": "#1"})
    (stop,) = office.stop_ids(phone.route_id)
    phone.tell("PHOTO", stopId=stop, uploadId=phone.upload(with_exif(6)))
    phone.tell("PROOF_NOTE", stopId=stop, note="left in the porch")
    phone.tell("STOP_DELIVERED", stopId=stop)
    office.open(f"route/{phone.route_id}/stop/{stop}")
    office.sign_in()
    shown = region(page, "Stop")
    expect(shown).to_contain_text("left in the porch")
    picture = shown.get_by_role("img", name="Proof")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('.pictures img').naturalWidth > 0")


def test_a_stop_shows_what_its_driver_and_its_customer_reported(office: Office) -> None:
    page = office.page
    tasks = [
        {"title": "Age", "type": "TEXT_INPUT"},
        {"title": "Fridge", "type": "CHECKBOXES", "items": [{"title": "cold"}, {"title": "shut"}]},
    ]
    contact = {"firstName": "Kim", "company": "Kim's Bakery", "phone": "+14105550100"}
    crates = {"name": "crate", "quantity": 2, "grams": 1_500, "sku": "C-2"}
    asked = {"orderName": "#1041", "contact": contact, "tasks": tasks, "items": [crates]}
    phone = office.dispatch("Told", asked, {"orderName": "#1042"})
    first, second = office.http.get(f"/routes/{phone.route_id}").json()["stops"]
    age, fridge = first["tasks"]
    cold = fridge["items"][0]["id"]
    phone.tell("TASK_COMPLETED", taskId=age["id"], value="over 40", inputMethod="TYPED")
    phone.tell("TASK_ITEM_COMPLETED", taskId=fridge["id"], itemId=cold)
    phone.tell("STOP_ARRIVED", stopId=first["id"])
    phone.tell("BARCODE_ISSUE", stopId=first["id"], reason="ITEM_DAMAGED", note="a corner")
    given = {"recipientName": "Lee", "leftWith": "NEIGHBOUR"}
    phone.tell("STOP_DELIVERED", stopId=first["id"], **given)
    phone.tell("STOP_ATTEMPTED", stopId=second["id"], reason="NOT_AVAILABLE")
    link = office.http.get(f"/routes/{phone.route_id}/stops/{first['id']}/tracking-link").json()
    rated = office.http.post(f"{link['url']}/rating", json={"rating": 4, "comment": "so kind"})
    assert rated.status_code == 200, rated.text
    office.open(f"route/{phone.route_id}/stop/{first['id']}")
    office.sign_in()
    shown = region(page, "Stop Kim")
    for name, said in (
        ("Order", "#1041"),
        ("Contact", "Kim · Kim's Bakery"),
        ("Items", re.compile(r"^2 \S crate \(C-2, 3 kg\)$")),
        ("Left with", "Neighbour"),
        ("Recipient's name", "Lee"),
        ("Code", "Item damaged: a corner"),
        ("Rating", "4 of 5: so kind"),
        ("At the door", re.compile(r"^\d\d:\d\d$")),
    ):
        term = shown.get_by_role("term").filter(has_text=re.compile(f"^{name}$"))
        expect(term.locator("+ dd")).to_have_text(said)
    expect(shown.get_by_role("link", name="+14105550100")).to_have_attribute(
        "href", "tel:+14105550100"
    )
    expect(shown.get_by_role("listitem").filter(has_text="Age:")).to_have_text("✓ Age: over 40")
    expect(shown.get_by_role("listitem").filter(has_text="Fridge:")).to_have_text("Fridge: cold")
    office.open(f"route/{phone.route_id}/stop/{second['id']}")
    expect(region(page, "Stop #1042")).to_contain_text("Nobody there")
    expect(region(page, "Stop #1042")).not_to_contain_text("Nothing recorded yet.")
