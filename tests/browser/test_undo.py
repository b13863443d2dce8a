"""What is taken back in the console is as it was."""

import re

import pytest
from playwright.sync_api import expect
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
