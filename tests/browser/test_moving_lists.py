"""Others change the day while somebody presses: what is pressed is what the finger went down on."""

import pytest
from playwright.sync_api import Page, Request, Route, expect
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
