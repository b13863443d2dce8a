"""Others change the day while somebody presses: what is pressed is what the finger went down on."""

import pytest
from playwright.sync_api import Page, Position, Request, Route, expect
from tests.browser.office import Office
from tests.browser.test_members import accept
from tests.support.waiting import wait_until

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
SOME_FRAMES_MS = 100


class Reads:
    """The page's reads of the day that are not answered yet."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.under_way: list[Request] = []
        page.on("request", lambda one: self.under_way.append(one) if is_read(one) else None)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda one: self.under_way.remove(one) if is_read(one) else None)

    def wait_for_none(self) -> None:
        def is_none() -> bool:
            self.page.title()  # events come in while the browser is asked something
            return not self.under_way

        wait_until(is_none)

    def hold_next(self) -> Route:
        """Let the page's time go on until it reads the day; return the read, which waits."""
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        def is_held() -> bool:
            self.page.clock.run_for(SOME_FRAMES_MS)
            return bool(held)

        self.page.route(f"**/days/{DAY}", hold, times=1)
        wait_until(is_held)
        return held[0]


def is_read(request: Request) -> bool:
    return request.url.endswith(f"/days/{DAY}")


def test_a_list_does_not_move_under_a_press(office: Office) -> None:
    office.page.clock.install()
    page = accept(office, "press@example.com")
    reads = Reads(page)
    when = f"{DAY}T08:00:00Z"
    harbour = office.add_route(
        "Harbour", *({"orderName": f"#{number}"} for number in (1, 2, 3)), scheduledFor=when
    )
    office.add_route("Hills", scheduledFor=when)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check(force=True)
    stops = page.get_by_role("region", name="Harbour").get_by_role("listitem")
    expect(stops).to_have_count(3)
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    stops.nth(1).hover()
    stops.nth(1).get_by_role("button", name="Move to…").hover()

    # Time stands still for the page: it reads nothing by itself, and does not take the press, which
    # may last on a busy machine, for one without an end.
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)
    reads.wait_for_none()
    first = office.stop_ids(harbour)[0]
    office.post("/routes/transfers", {"moves": [{"stopId": first, "fromRouteId": harbour}]})
    held = reads.hold_next()
    page.mouse.down()
    held.continue_()
    reads.wait_for_none()
    page.clock.run_for(SOME_FRAMES_MS)
    page.mouse.up()
    page.clock.resume()
    expect(page.get_by_role("dialog", name="Move stop")).to_contain_text("#2")
    expect(stops).to_have_count(2)  # the list has what is new when the press is over


def test_a_drop_between_two_stops_of_a_column_goes_exactly_there(office: Office) -> None:
    page = accept(office, "gaps@example.com")
    when = f"{DAY}T08:00:00Z"
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3, 4)]
    office.add_route("Harbour", *names, scheduledFor=when)
    office.add_route("Hills", {"orderName": "#5"}, scheduledFor=when)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check(force=True)
    lane = page.get_by_role("region", name="Harbour")
    stops = lane.get_by_role("listitem")
    other = page.get_by_role("region", name="Hills").get_by_role("listitem")

    def expect_order(*numbers: int) -> None:
        expect(stops.get_by_role("link")).to_have_text([f"#{number}" for number in numbers])

    expect_order(1, 2, 3, 4)
    upper: Position = {"x": 60, "y": 3}
    other.drag_to(stops.nth(1), target_position=upper)
    expect_order(1, 5, 2, 3, 4)
    stops.nth(0).drag_to(stops.nth(3), target_position=upper)
    expect_order(5, 2, 1, 3, 4)
    stops.nth(4).drag_to(stops.nth(1), target_position=upper)
    expect_order(5, 4, 2, 1, 3)
    box = lane.bounding_box()
    assert box is not None
    stops.nth(0).drag_to(lane, target_position={"x": 60, "y": box["height"] - 9})
    expect_order(4, 2, 1, 3, 5)


def test_a_column_says_what_a_stop_in_the_hand_would_cost_there(office: Office) -> None:
    page = accept(office, "gap.prices@example.com")
    when = f"{DAY}T08:00:00Z"
    office.add_route("Harbour", {"orderName": "#1"}, {"orderName": "#2"}, scheduledFor=when)
    office.add_route("Hills", {"orderName": "#3"}, {"orderName": "#4"}, scheduledFor=when)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check(force=True)
    lanes = page.get_by_role("group", name="Board")
    lanes.get_by_role("listitem").first.hover()
    page.mouse.down()
    target = lanes.get_by_role("region", name="Hills")
    for y in (3, 4, 3):  # a browser tells of a drag by the second move over something
        target.get_by_role("listitem").nth(1).hover(position={"x": 60, "y": y})
    expect(target.get_by_role("heading")).to_contain_text("min")
    expect(target.get_by_role("listitem").nth(1)).to_have_attribute("data-gap", "before")
    page.mouse.up()
    expect(target.get_by_role("listitem").nth(1)).to_contain_text("#1")
    expect(target.locator("[data-gap]")).to_have_count(0)
