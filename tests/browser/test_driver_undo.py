"""What a driver takes back by Undo: everything that was typed, chosen or taken is there again."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import Office
from tests.browser.test_driver_app import (
    Handset,
    dispatched,
    expect_sent,
    handset,
    photo,
    sign,
    start,
)
from tests.support.waiting import wait_until

__all__ = ["handset"]

TASK = {"title": "Age", "type": "CHECKBOXES", "items": [{"title": "Passport seen"}]}


def fill_in(page: Page, folder: Path) -> None:
    """Have every kind of proof at a stop, typed, chosen, ticked and taken."""
    page.get_by_role("link", name="#1").click()
    page.get_by_label("Photo", exact=True).set_input_files(photo(folder))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    sign(page)
    expect(page.get_by_role("img", name="Signature 1")).to_be_visible()
    page.get_by_role("checkbox", name="Passport seen").check()
    page.get_by_role("textbox", name="Note").fill("left w/ Jo ")
    page.get_by_role("combobox", name="Left with").select_option("Neighbour")
    page.get_by_role("textbox", name="Recipient's name").fill("Jo")


def expect_filled_in(page: Page) -> None:
    expect(page.get_by_role("heading", name="#1")).to_be_visible()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("left w/ Jo ")
    expect(page.get_by_role("combobox", name="Left with")).to_have_value("NEIGHBOUR")
    expect(page.get_by_role("textbox", name="Recipient's name")).to_have_value("Jo")
    expect(page.get_by_role("checkbox", name="Passport seen")).to_be_checked()
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    expect(page.get_by_role("img", name="Signature 1")).to_be_visible()


def first_stop(office: Office, route: str) -> Any:
    return office.http.get(f"/routes/{route}").json()["stops"][0]


def assert_proved(stop: Any) -> None:
    assert (stop["deliveryStatus"], stop["leftWith"]) == ("DELIVERED", "NEIGHBOUR")
    assert (stop["proofOfDeliveryNote"], stop["recipientName"]) == ("left w/ Jo", "Jo")
    assert stop["tasks"][0]["items"][0]["completed"]
    assert [len(stop[f"proofOfDelivery{kind}"]) for kind in ("Photos", "Signatures")] == [1, 1]


def reload(handset: Handset) -> None:
    """Load the app again as a phone does that has closed it."""
    handset.page.reload()
    expect(handset.page.get_by_role("button", name="Sync details")).to_be_visible()


@pytest.mark.parametrize("reloads", [False, True])
def test_what_was_typed_is_there_again_where_it_was_not_sent(
    office: Office, handset: Handset, tmp_path: Path, *, reloads: bool
) -> None:
    stops = ({"orderName": "#1", "tasks": [TASK]}, {"orderName": "#2"})
    route = dispatched(office, handset, *stops)
    page = handset.page
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    handset.context.set_offline(True)
    fill_in(page, tmp_path)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    if reloads:
        reload(handset)
    page.get_by_role("button", name="Undo").click()
    expect_filled_in(page)
    if reloads:
        reload(handset)
        expect_filled_in(page)
    page.get_by_role("button", name="Delivered").click()
    handset.context.set_offline(False)
    expect_sent(page)
    assert_proved(first_stop(office, route))


def test_what_was_typed_is_there_again_where_it_was_sent(
    office: Office, handset: Handset, tmp_path: Path
) -> None:
    stops = ({"orderName": "#1", "tasks": [TASK]}, {"orderName": "#2"})
    route = dispatched(office, handset, *stops)
    page = handset.page
    start(page)
    fill_in(page, tmp_path)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("All sent")
    assert_proved(first_stop(office, route))
    page.get_by_role("button", name="Undo").click()
    expect_filled_in(page)
    wait_until(lambda: first_stop(office, route)["deliveryStatus"] == "OUT_FOR_DELIVERY")
    reload(handset)
    expect_filled_in(page)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("All sent")
    assert_proved(first_stop(office, route))


def test_what_was_typed_before_a_failed_delivery_is_there_again(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("textbox", name="Note").fill("bell is broken")
    page.get_by_role("button", name="Could not deliver").click()
    page.get_by_label("Nobody there").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    note = page.get_by_role("textbox", name="Note")
    expect(note).to_have_value("bell is broken")
    note.fill("")
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("All sent")
    stop = first_stop(office, route)
    assert (stop["deliveryStatus"], stop["proofOfDeliveryNote"]) == ("DELIVERED", "")
    # A correction of a finished stop is taken back with what it said before.
    page.get_by_role("button", name="Back").click()
    page.get_by_role("link", name="#1").click()
    note.fill("under the mat")
    page.get_by_role("button", name="Delivered").click()
    wait_until(lambda: first_stop(office, route)["proofOfDeliveryNote"] == "under the mat")
    page.get_by_role("button", name="Undo").click()
    expect(note).to_have_value("under the mat")
    wait_until(lambda: first_stop(office, route)["proofOfDeliveryNote"] == "")


def test_a_picture_for_a_whole_door_stays_when_the_deliveries_are_taken_back(
    office: Office, handset: Handset, tmp_path: Path
) -> None:
    door = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
    route = dispatched(office, handset, {"orderName": "#1", **door}, {"orderName": "#2", **door})
    page = handset.page
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    handset.context.set_offline(True)
    page.get_by_role("link", name="#1").click()
    page.get_by_label("Photo", exact=True).set_input_files(photo(tmp_path))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    page.get_by_role("button", name="All 2 at this door").click()
    expect(page.get_by_role("list", name="Stops")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    page.get_by_role("button", name="All 2 at this door").click()
    handset.context.set_offline(False)
    expect_sent(page)
    stops = office.http.get(f"/routes/{route}").json()["stops"]
    assert [stop["deliveryStatus"] for stop in stops] == ["DELIVERED"] * 2
    assert [len(stop["proofOfDeliveryPhotos"]) for stop in stops] == [1, 1]


def test_the_bar_and_the_details_name_the_stop(office: Office, handset: Handset) -> None:
    kim = {"contact": {"firstName": "Kim", "lastName": "Lee"}}
    tasks = {"tasks": [TASK]}
    dispatched(office, handset, {"orderName": "#1041", **kim, **tasks}, kim, {"orderName": "#3"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="Kim Lee").first.click()
    page.get_by_role("checkbox", name="Passport seen").check()
    expect(page.get_by_text("Age #1041 recorded")).to_be_visible()
    page.get_by_role("button", name="Do later").click()
    expect(page.get_by_text("Do later #1041 recorded")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_text("Delivered Kim Lee recorded")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_text("Delivered #3 recorded")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Sync details").click()
    done = page.get_by_role("list", name="Actions").get_by_role("listitem")
    for text in ("Delivered Kim Lee", "Order changed #1041", "Task #1041", "Route started Van 1"):
        expect(done.filter(has_text=text)).to_have_count(1)
