"""Five tasks of a planner's morning, and how many presses each takes: the page says the same.

A press is a click, a key, a drag, a file that is chosen, or a text that is typed into a field.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.driving import sign_up_driver
from tests.browser.office import Office, expect_proposal
from tests.browser.test_console import button, region
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "planners-morning.md"
DAY = "2030-05-06"
VANS = 3
SHEET = """Customer,Lat,Lng,Street,City,State,Country,Qty
Ada,39.30,-76.61,,,,,1
Ben,39.31,-76.62,,,,,1
Cleo,39.32,-76.60,,,,,1
Dan,39.28,-76.59,,,,,1
Eve,39.27,-76.62,,,,,1
Fay,39.29,-76.63,,,,,1
Gus,,,12 Nowhere Lane,Baltimore,MD,US,1
Hal,,,9 Nowhere Lane,Baltimore,MD,US,1
"""


@dataclass
class Hand:
    """A planner's hand, which counts what it does."""

    presses: int = 0

    def press(self, target: Locator) -> None:
        target.click()
        self.presses += 1

    def type(self, target: Locator, text: str) -> None:
        target.fill(text)
        self.presses += 1

    def choose(self, target: Locator, label: str) -> None:
        target.select_option(label=label)
        self.presses += 1

    def give_file(self, target: Locator, text: str) -> None:
        target.set_input_files(
            {"name": "monday.csv", "mimeType": "text/csv", "buffer": text.encode()}
        )
        self.presses += 1

    def drag(self, what: Locator, where: Locator) -> None:
        what.drag_to(where)
        self.presses += 1

    def counted(self) -> int:
        """Return the presses since this was asked for last."""
        presses, self.presses = self.presses, 0
        return presses


def import_sheet(page: Page, hand: Hand) -> None:
    hand.press(button(page, "Import stops"))
    dialog = page.get_by_role("dialog", name="Import stops")
    hand.give_file(dialog.get_by_label("Spreadsheet"), SHEET)
    hand.press(button(dialog, "Import 8 stops"))
    expect(page.get_by_role("heading", name="Not on a route · 8")).to_be_visible()


def fix_two(page: Page, hand: Hand) -> None:
    """Say where two stops are of whose addresses the town alone is known."""
    pool = region(page, "Not on a route")
    for number, place in enumerate(("39.285, -76.605", "39.295, -76.615")):
        unsure = button(pool, "Fix location")
        expect(unsure).to_have_count(2 - number)
        hand.press(unsure.first)
        dialog = page.get_by_role("dialog", name="Fix location")
        hand.type(dialog.get_by_role("textbox", name="Address or coordinates"), place)
        hand.press(button(dialog, "Save"))
        expect(dialog).to_be_hidden()
    expect(button(pool, "Fix location")).to_have_count(0)


def plan(page: Page, hand: Hand) -> None:
    hand.press(button(page, "Plan"))
    dialog = page.get_by_role("dialog", name="Plan the day")
    expect(dialog.get_by_role("checkbox", name="Van 3")).to_be_checked()
    expect(dialog.get_by_role("textbox", name="Start")).not_to_have_value("")
    hand.press(button(dialog, "Plan"))
    expect_proposal(page, "Every stop is on a van.")
    hand.press(button(dialog, "Apply"))
    expect(dialog).to_be_hidden()


def move_two(page: Page, hand: Hand) -> None:
    """Drag two stops from the lane with the most to another."""
    lanes = page.get_by_role("group", name="Board").get_by_role("region")
    counts = [lane.get_by_role("listitem").count() for lane in lanes.all()]
    most = counts.index(max(counts))
    target = lanes.nth(1 if most == 0 else 0)
    before = target.get_by_role("listitem").count()
    for moved in (1, 2):
        hand.drag(
            lanes.nth(most).get_by_role("listitem").first,
            target.get_by_role("heading"),
        )
        expect(target.get_by_role("listitem")).to_have_count(before + moved)


def dispatch(page: Page, hand: Hand) -> None:
    hand.press(button(page, "Send routes"))
    dialog = page.get_by_role("dialog", name="Send routes")
    drivers = dialog.get_by_role("combobox")
    expect(drivers).to_have_count(VANS)
    for number in range(VANS):
        hand.choose(drivers.nth(number), "Dana")
    hand.press(button(dialog, f"Send {VANS} routes"))
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("Dispatched", exact=True)).to_have_count(VANS)


def documented() -> list[int]:
    """Return the presses of each task that the page has of Roundsman."""
    (row,) = [line for line in PAGE.read_text().splitlines() if line.startswith("| **Roundsman**")]
    return [int(cell) for cell in re.findall(r"\*\*(\d+)\*\*", row)]


def test_a_morning_takes_as_many_presses_as_the_page_says(office: Office) -> None:
    start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
    body = {"organization": {"start": start}, "updateMask": "start"}
    assert office.http.patch("/organization", json=body).status_code == 200
    page = accept(office, "presses@example.com")
    for number in range(1, VANS + 1):
        office.post("/vehicles", {"name": f"Van {number}", "capacities": {"items": 3}})
    sign_up_driver(office.address, office.http)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    hand = Hand()
    counted = []
    import_sheet(page, hand)
    counted.append(hand.counted())
    fix_two(page, hand)
    counted.append(hand.counted())
    plan(page, hand)
    counted.append(hand.counted())
    expect(region(page, "Routes").get_by_role("listitem")).to_have_count(VANS)
    move_two(page, hand)
    counted.append(hand.counted())
    dispatch(page, hand)
    counted.append(hand.counted())
    assert counted == documented()
